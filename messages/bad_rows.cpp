#include "messages/bad_rows.hpp"

#include "messages/errors.hpp"

namespace spillway {
namespace {

class strict_port final : public bad_row_port {
 public:
  void refuse(bad_row row, std::string_view help) override {
    auto text = row.place.empty() ? std::string{} : row.place + ": ";
    if (!row.text.empty()) text += row.text + ' ';
    text += row.reason;
    if (!help.empty()) (text += "\n  help: ") += help;
    throw data_error{text};
  }
};

}  // namespace

bad_row_port& bad_row_port::strict() noexcept {
  static strict_port port;
  return port;
}

}  // namespace spillway
