// expect: app() needs a function of the pipeline to compose and its parameters: (sw::pipeline&, const sw::params&)
#include "rows.hpp"

int main(int argc, char** argv) {
  return sw::app("flights", argc, argv, [](sw::pipeline&) {});
}
