#error "the library included a consumer's own messages/batch.hpp"
