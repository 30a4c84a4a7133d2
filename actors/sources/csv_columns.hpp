#pragma once
#include "messages/columns.hpp"
#include "messages/errors.hpp"

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
using cell_store = std::string_view (*)(const void* state, text_cell cell, void* to);

/// A member of the row and the column that it is read from.
struct column_binding {
  std::string column, member;
  /// The bytes of the row that the member takes.
  std::size_t from = 0, to = 0;
  /// Null if it takes a function to read the member.
  cell_store store = nullptr;
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

  /// They, then those of the other leaves of the row, each by its own name and through its own of `stores`.
  std::vector<column_binding> with_others(const leaf_list& leaves, const cell_store* stores) const;

 private:
  std::vector<column_binding> named_;
};

template <class M>
std::string_view store_cell(const void*, text_cell cell, void* to) {
  return parse_cell(cell, *static_cast<M*>(to));
}

template <class M>
constexpr cell_store store_of() {
  if constexpr (is_cell<M>)
    return &store_cell<M>;
  else
    return nullptr;
}

/// How the leaves of a row are read.
template <class... Leaves>
const cell_store* stores_of(boost::mp11::mp_list<Leaves...>) {
  static constexpr cell_store all[] = {store_of<Leaves>()..., nullptr};
  return all;
}

template <class M, class F>
std::string_view store_through(const void* function, text_cell cell, void* to) {
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
/// throws becomes the error of that line. It is called by one thread at a time for each reader. Members that are not mentioned
/// have the column of their own name.
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
        bind<M>(std::move(column), member, detail::store_of<M>());
      }
    }

    template <class M, class C, class F>
    entry(std::string column, M C::*member, F function) {
      if constexpr (detail::check_column_member<T, M, C>()) {
        if constexpr (detail::check_column_function<M, F>()) {
          bind<M>(std::move(column), member, &detail::store_through<M, F>);
          binding_.state = std::make_shared<F>(std::move(function));
        }
      }
    }

   private:
    friend class columns;

    template <class M>
    void bind(std::string column, M T::*member, detail::cell_store store) {
      const T row{};
      const auto from = reinterpret_cast<const char*>(&(row.*member)) - reinterpret_cast<const char*>(&row);
      binding_.column = std::move(column);
      binding_.member = member_name<T>(member);
      binding_.from = static_cast<std::size_t>(from);
      binding_.to = binding_.from + sizeof(M);
      binding_.store = store;
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
    return named_.with_others(detail::list_leaves<T>(), detail::stores_of(detail::leaf_types<T>{}));
  }

 private:
  detail::column_bindings named_;
};

namespace detail {

/// Where the column of each binding is in the header of the file. Throws `data_error` if one is missing or there twice.
std::vector<std::size_t> find_columns(const std::string& file, std::span<const std::string> header,
                                      std::span<const column_binding> wanted);

}  // namespace detail
}  // namespace spillway
