#include "bindings/request.hpp"
#include "strata/bindings.hpp"

namespace strata::bindings {

struct Preparations::State {};

Preparations::Preparations() : state_(std::make_unique<State>()) {}
Preparations::~Preparations() = default;

class InjectorState {};

namespace {

[[noreturn]] void missing() { throw Error("bindings.unsupported", "the injector is not here yet"); }

}  // namespace

Injector::Injector(Preparations& /*shared*/, std::shared_ptr<const Request> /*request*/, const Services& /*services*/, Sources& /*sources*/,
                   Diagnostics& /*diagnostics*/, const Limits& /*limits*/, merge::History* /*history*/) {
  missing();
}
Injector::~Injector() = default;
merge::Traced Injector::find(std::string_view /*name*/) { missing(); }
merge::Traced Injector::find(std::string_view /*type*/, std::string_view /*name*/) { missing(); }
merge::Traced Injector::inject(std::string_view /*name*/) { missing(); }
merge::Traced Injector::inject(std::string_view /*type*/, std::string_view /*name*/) { missing(); }
merge::Traced Injector::all() { missing(); }
merge::Traced Injector::classes() { missing(); }
merge::Traced Injector::parameters(std::string_view /*reference*/) { missing(); }
merge::Traced Injector::variables() { missing(); }
Explanation Injector::explain(std::string_view /*type*/, std::string_view /*name*/) { missing(); }
Findings Injector::check() { missing(); }
const Told* Injector::told(merge::LayerId /*layer*/) const noexcept { return nullptr; }

Findings check(Preparations& /*shared*/, std::shared_ptr<const Request> /*request*/, const Services& /*services*/, Sources& /*sources*/,
               const Limits& /*limits*/) {
  missing();
}
std::string explanation_text(const Sources& /*sources*/, const Explanation& /*explanation*/) { missing(); }
Value explanation_data(Arena& /*arena*/, const Sources& /*sources*/, const merge::History& /*history*/, const Injector& /*injector*/,
                       const Explanation& /*explanation*/) {
  missing();
}
Value explanation_data(Arena& /*arena*/, const Sources& /*sources*/, const merge::History& /*history*/, const Injector& /*injector*/,
                       const merge::Traced& /*result*/, std::string_view /*prefix*/) {
  missing();
}

}  // namespace strata::bindings
