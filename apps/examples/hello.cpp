// Counts the words of a text: hello run --text "to be or not to be"
#include <spillway.hpp>

#include <cstdint>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace sw = spillway;

int main(int argc, char** argv) {
  return sw::app("hello", argc, argv, [](sw::pipeline& p, const sw::params& args) {
    std::istringstream text{args["text"]};
    const std::vector<std::string> words{std::istream_iterator<std::string>{text}, {}};
    const auto times = args.get("times", std::uint64_t{1}, "how often the text is repeated");
    const auto pace = args.get("pace", 0.0, "words a second; 0 is as fast as possible");

    const auto word = [words](std::uint64_t i) { return words[i % words.size()]; };
    p.read("words", sw::generate(times * words.size(), word, {.rows_per_second = pace}))
        .key_by(sw::key("word", sw::itself))
        .aggregate("times", sw::count())
        .write(sw::to_stdout{});
  });
}
