// Both worlds in one file: pipelines and CAF.
#include <spillway.hpp>
#include <spillway/actor.hpp>

int main() {}
