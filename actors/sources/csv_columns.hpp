#pragma once
#include "messages/columns.hpp"
#include "messages/errors.hpp"
#include "messages/parse_time.hpp"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace spillway {
namespace detail {

/// Stores a cell in the member at `to`, or gives the reason why it cannot.
using cell_store = std::string_view (*)(const void* state, const text_cell& cell, void* to);

struct cell_reader {
  /// Null if it takes a function to read the member.
  cell_store store = nullptr;
  /// The member gets the cell's text as it is, which must be UTF-8 then.
  bool is_text = false;
};

/// A member of the row and the column that it is read from.
struct column_binding {
  std::string column, member;
  /// The bytes of the row that the member takes.
  std::size_t from = 0, to = 0;
  cell_reader reader;
  std::shared_ptr<const void> state;
};

/// The columns that a user named, for whatever row type.
class column_bindings {
 public:
  column_bindings() noexcept;
  column_bindings(const column_bindings&);
  column_bindings(column_bindings&&) noexcept;
  column_bindings& operator=(const column_bindings&);
  column_bindings& operator=(column_bindings&&) noexcept;
  ~column_bindings();

  void add(column_binding b);

  const std::vector<column_binding>& named() const noexcept { return named_; }

  /// They, then those of the other leaves of the row, each by its own name and through its own of `readers`.
  std::vector<column_binding> with_others(const leaf_list& leaves, const cell_reader* readers) const;

 private:
  std::vector<column_binding> named_;
};

template <class M>
std::string_view store_cell(const void*, const text_cell& cell, void* to) {
  return parse_cell(cell, *static_cast<M*>(to));
}

template <class M>
constexpr cell_reader reader_of() {
  if constexpr (is_cell<M>)
    return {&store_cell<M>, std::is_same_v<M, std::string> || std::is_same_v<M, std::optional<std::string>>};
  else
    return {};
}

/// How the leaves of a row are read.
template <class... Leaves>
const cell_reader* readers_of(boost::mp11::mp_list<Leaves...>) {
  static constexpr cell_reader all[] = {reader_of<Leaves>()..., {}};
  return all;
}

/// A time that has the unit or zone `How`.
template <class M, class How>
std::string_view store_time(const void* how, const text_cell& cell, void* to) {
  auto& member = *static_cast<M*>(to);
  if constexpr (optional_like<M>) {
    member.reset();
    if (cell.text.empty() && !cell.quoted) return {};
    return parse_time_point(cell.text, *static_cast<const How*>(how), member.emplace());
  } else {
    return parse_time_point(cell.text, *static_cast<const How*>(how), member);
  }
}

template <class M, class F>
std::string_view store_through(const void* function, const text_cell& cell, void* to) {
  *static_cast<M*>(to) = std::invoke(*static_cast<F*>(const_cast<void*>(function)), cell.text);
  return {};
}

/// Stops compilation with one sentence if `M C::*` is no member that the columns of `T` can go to.
template <class T, class M, class C>
consteval bool check_column_member() {
  constexpr bool own = std::is_object_v<M> && std::is_base_of_v<C, T>;
  static_assert(own, "columns maps to members of its own row type: this is a member of another struct, or a function");
  return own;
}

template <class M>
inline constexpr bool is_fine_time = false;
template <class Duration>
inline constexpr bool is_fine_time<std::chrono::sys_time<Duration>> = !whole_days<typename Duration::period>;
template <class M>
inline constexpr bool is_fine_time<std::optional<M>> = is_fine_time<M>;

/// The same if `M` is no time that can have a unit or a zone.
template <class M>
consteval bool check_time_member() {
  static_assert(is_fine_time<M>,
                "a unit or a zone in columns is for a member that is a time: std::chrono::sys_time, finer than days");
  return is_fine_time<M>;
}

/// The same if `F` does not give a value of type `M` for a cell's text.
template <class M, class F>
consteval bool check_column_function() {
  constexpr bool callable = std::is_invocable_v<F&, std::string_view>;
  static_assert(callable, "columns needs functions of a cell's text: f(std::string_view)");
  if constexpr (callable) {
    constexpr bool fits = std::is_assignable_v<M&, std::invoke_result_t<F&, std::string_view>>;
    static_assert(fits, "a function in columns gives the value of its member: this one has another type");
    return fits;
  }
  return false;
}

}  // namespace detail

/// Which column of a file goes to which member of a row: `columns<flight>{{"date", &flight::when, in_2001}, {"dly",
/// &flight::delay}}`. A function of the cell's text, giving the member's value, takes the place of the usual reading; what it
/// throws makes the row a bad one. It is called by one thread at a time for each reader, and by several readers at once. For
/// times, a unit of numbers, `{"ts", &row::at, unit::seconds}`, or the zone of those without an offset, `{"when", &row::when,
/// zone("+02:00")}`. Members that are not mentioned have the column of their own name.
template <class T>
class columns {
  static_assert(row_checked<T>);

 public:
  class entry {
   public:
    template <class M, class C>
    entry(std::string column, M C::*member) {
      if constexpr (detail::check_column_member<T, M, C>()) {
        static_assert(is_cell<M>,
                      "columns needs a function of the text for a member that is no scalar, string or optional of one");
        bind<M>(std::move(column), member, detail::reader_of<M>());
      }
    }

    template <class M, class C, class F>
    entry(std::string column, M C::*member, F function) {
      if constexpr (detail::check_column_member<T, M, C>()) {
        if constexpr (detail::check_column_function<M, F>()) {
          bind<M>(std::move(column), member, {&detail::store_through<M, F>});
          binding_.state = std::make_shared<F>(std::move(function));
        }
      }
    }

    /// The column's numbers count `u` since 1970.
    template <class M, class C>
    entry(std::string column, M C::*member, unit u) {
      bind_time(std::move(column), member, u);
    }

    /// The column's times have no offset, or their own.
    template <class M, class C>
    entry(std::string column, M C::*member, zone z) {
      bind_time(std::move(column), member, z);
    }

   private:
    friend class columns;

    template <class M, class C, class How>
    void bind_time(std::string column, M C::*member, How how) {
      if constexpr (detail::check_column_member<T, M, C>()) {
        if constexpr (detail::check_time_member<M>()) {
          bind<M>(std::move(column), member, {&detail::store_time<M, How>});
          binding_.state = std::make_shared<How>(how);
        }
      }
    }

    template <class M>
    void bind(std::string column, M T::*member, detail::cell_reader reader) {
      const T row{};
      const auto from = reinterpret_cast<const char*>(&(row.*member)) - reinterpret_cast<const char*>(&row);
      binding_.column = std::move(column);
      binding_.member = member_name<T>(member);
      binding_.from = static_cast<std::size_t>(from);
      binding_.to = binding_.from + sizeof(M);
      binding_.reader = reader;
    }

    detail::column_binding binding_;
  };

  columns() = default;
  columns(std::initializer_list<entry> entries) {
    for (const auto& e : entries) named_.add(e.binding_);
  }

  /// For each member its column, those mentioned first. Throws `pipeline_error` for a member mentioned twice and for one that
  /// needs a function.
  std::vector<detail::column_binding> bindings() const {
    return named_.with_others(detail::list_leaves<T>(), detail::readers_of(detail::leaf_types<T>{}));
  }

  /// Those mentioned.
  const std::vector<detail::column_binding>& named() const noexcept { return named_.named(); }

 private:
  detail::column_bindings named_;
};

namespace detail {

/// Where the column of each binding is in the header of the file. Throws `data_error` if one is missing or there twice.
std::vector<std::size_t> find_columns(const std::string& file, std::span<const std::string> header,
                                      std::span<const column_binding> wanted);

}  // namespace detail
}  // namespace spillway
