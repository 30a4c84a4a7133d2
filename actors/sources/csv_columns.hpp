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

/// Stores a cell in a row, or gives the reason why it cannot.
template <class T>
struct cell_setter {
  std::string_view (*store)(const void* state, text_cell cell, T& row) = nullptr;
  std::shared_ptr<const void> state;
};

/// The bytes of a row that a member takes.
struct member_bytes {
  std::size_t from = 0, to = 0;
  bool within(const member_bytes& o) const noexcept { return from >= o.from && to <= o.to; }
};

/// A member of the row and the column that it is read from.
template <class T>
struct column_binding {
  std::string column, member;
  cell_setter<T> set;
  member_bytes bytes;
};

template <class T, class M>
member_bytes bytes_of(const T& row, const M& member) {
  const auto from = reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&row);
  return {static_cast<std::size_t>(from), static_cast<std::size_t>(from) + sizeof(M)};
}

template <class T, class Path>
std::string_view store_leaf(const void*, text_cell cell, T& row) {
  return parse_cell(cell, Path::of(row));
}

/// The bindings of the members that are named like their columns.
template <class T>
std::vector<column_binding<T>> bindings_by_name() {
  std::vector<column_binding<T>> all;
  const T row{};
  for_each_leaf<T>([&]<class Path, class Leaf>(std::string_view name, std::string_view origin, Path, std::type_identity<Leaf>) {
    column_binding<T> b{std::string{name}, std::string{origin}, {}, bytes_of(row, Path::of(row))};
    if constexpr (is_cell<Leaf>) b.set.store = &store_leaf<T, Path>;
    all.push_back(std::move(b));
  });
  return all;
}

[[noreturn]] void member_named_twice(const std::string& member);
[[noreturn]] void member_without_function(const std::string& member);

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
    entry(std::string column, M C::*member) : binding_{about(std::move(column), member)} {
      static_assert(is_cell<M>, "columns needs a function of the text for a member that is no scalar, string or optional of one");
      if constexpr (is_cell<M>) {
        binding_.set.state = std::make_shared<M C::*>(member);
        binding_.set.store = [](const void* state, text_cell cell, T& row) {
          return parse_cell(cell, row.*(*static_cast<M C::*const*>(state)));
        };
      }
    }

    template <class M, class C, class F>
    entry(std::string column, M C::*member, F function) : binding_{about(std::move(column), member)} {
      constexpr auto callable = std::is_invocable_v<F&, std::string_view>;
      static_assert(callable, "columns needs functions of a cell's text: f(std::string_view)");
      if constexpr (callable) {
        constexpr auto fits = std::is_assignable_v<M&, std::invoke_result_t<F&, std::string_view>>;
        static_assert(fits, "a function in columns gives the value of its member: this one has another type");
        if constexpr (fits) call_through(member, std::move(function));
      }
    }

   private:
    friend class columns;

    template <class M, class C>
    static detail::column_binding<T> about(std::string column, M C::*member) {
      static_assert(std::is_object_v<M> && std::is_base_of_v<C, T>, "columns maps to members of its own row type");
      const T row{};
      return {
          std::move(column), std::string{member_name<T>(static_cast<M T::*>(member))}, {}, detail::bytes_of(row, row.*member)};
    }

    template <class M, class C, class F>
    void call_through(M C::*member, F function) {
      struct state {
        M C::*member;
        mutable F function;
      };
      binding_.set.state = std::make_shared<state>(state{member, std::move(function)});
      binding_.set.store = [](const void* of, text_cell cell, T& row) {
        const auto& s = *static_cast<const state*>(of);
        row.*s.member = std::invoke(s.function, cell.text);
        return std::string_view{};
      };
    }

    detail::column_binding<T> binding_;
  };

  columns() = default;
  columns(std::initializer_list<entry> entries) : entries_(entries) {}

  /// For each member its column, those mentioned first. Throws `pipeline_error` for a member mentioned twice and for one that
  /// needs a function.
  std::vector<detail::column_binding<T>> bindings() const {
    std::vector<detail::column_binding<T>> all;
    const auto add = [&, mentioned = entries_.size()](const detail::column_binding<T>& b, bool by_name) {
      for (std::size_t i = 0; i < all.size() && i < mentioned; ++i)
        if (b.bytes.within(all[i].bytes)) return by_name ? void() : detail::member_named_twice(b.member);
      if (!b.set.store) detail::member_without_function(b.member);
      all.push_back(b);
    };
    for (const auto& e : entries_) add(e.binding_, false);
    for (const auto& b : detail::bindings_by_name<T>()) add(b, true);
    return all;
  }

 private:
  std::vector<entry> entries_;
};

namespace detail {

/// A column that is wanted and the member it is for.
struct wanted_column {
  std::string column, member;
};

/// Where each wanted column is in the header of the file. Throws `data_error` if one is missing or there twice.
std::vector<std::size_t> find_columns(const std::string& file, std::span<const std::string> header,
                                      std::span<const wanted_column> wanted);

}  // namespace detail
}  // namespace spillway
