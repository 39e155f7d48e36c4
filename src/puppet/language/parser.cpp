#include "puppet/language/parser.hpp"

namespace strata::puppet {

Parser::Parser(const Sources& sources, SourceId source, SyntaxTree& tree, const Limits& limits)
    : sources_(sources), source_(source), tree_(tree), limits_(limits) {}

}  // namespace strata::puppet
