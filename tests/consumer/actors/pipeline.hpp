#error "the library included a consumer's own actors/pipeline.hpp"
