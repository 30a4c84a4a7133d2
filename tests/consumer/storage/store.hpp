#error "the library included a consumer's own storage/store.hpp"
