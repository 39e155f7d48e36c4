// SPDX-License-Identifier: Apache-2.0
#include "service/service.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>

#include "service/changes.hpp"
#include "service/entity_tags.hpp"
#include "service/explore/session.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"
#include "strata/text.hpp"

namespace strata::service {
namespace {

Refusal bad_path(std::string message) {
  return {.status = 400, .code = "request.path", .message = std::move(message), .hint = "", .type = "", .headers = {}};
}

/// Decodes the parts of a path, each once. False: some cannot be decoded, and stay as they are.
bool read_segments(std::string_view path, std::vector<std::string>& out) {
  bool is_right = true;
  out.reserve(static_cast<std::size_t>(std::ranges::count(path, '/')));
  while (!path.empty()) {
    path.remove_prefix(1);  // The slash.
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    std::optional<std::string> text = percent_decoded(part);
    if (!text || text->find('\0') != std::string::npos || text::find_invalid_utf8(*text) != std::string::npos) {
      is_right = false;
      text = part;
    }
    out.push_back(*std::move(text));
  }
  if (!out.empty() && out.back().empty()) out.pop_back();
  return is_right;
}

bool leads_to(std::string_view prefix, std::span<const std::string> segments) {
  for (const std::string& segment : segments) {
    if (prefix.empty()) return true;
    prefix.remove_prefix(1);
    const std::string_view part = prefix.substr(0, prefix.find('/'));
    if (part != segment) return false;
    prefix.remove_prefix(part.size());
  }
  return prefix.empty();
}

/// `Strata-At: PROJECT:NUMBER`: what a client has written elsewhere must be seen here.
void check_write_is_seen(const Call& call) {
  const std::string* at = call.request.headers.find("Strata-At");
  if (at == nullptr || !call.core.has_store()) return;
  const std::size_t colon = at->rfind(':');
  std::int64_t number = 0;
  const char* const end = at->data() + at->size();
  const auto [stopped, error] = std::from_chars(at->data() + (colon == std::string::npos ? 0 : colon + 1), end, number);
  if (colon == std::string::npos || error != std::errc() || stopped != end)
    throw Error("request.at", "Strata-At is PROJECT:NUMBER, as an answer had it");
  // Numbers of other projects say nothing about this one.
  if (number <= 0 || at->compare(0, colon, call.project) != 0) return;
  if (call.core.changes().reaches(call.project, number)) return;
  throw Error("service.behind", "this service has not seen that write yet");
}

/// Whether a text has a token in it: `strata_ID_SECRET`, with a secret of 43 characters.
bool has_token(std::string_view text) {
  constexpr std::string_view kMark = "strata_";
  constexpr std::size_t kSecret = 43;
  const std::size_t at = text.find(kMark);
  return at != std::string_view::npos && text.size() - at >= kMark.size() + kSecret;
}

/// A part of a path without its percent encoding, however often a client has encoded it, in lowercase. Other
/// characters stay. No value: it is encoded more often than any client does.
std::optional<std::string> plain_part(std::string_view part) {
  constexpr int kMostEncodings = 8;
  std::string out(part);
  for (int i = 0; out.find('%') != std::string::npos; ++i) {
    std::string decoded;
    for (std::size_t at = 0; at < out.size(); ++at) {
      constexpr std::size_t kEncoded = 3;
      const auto byte = out[at] == '%' ? percent_decoded(std::string_view(out).substr(at, kEncoded)) : std::nullopt;
      decoded += byte ? byte->front() : out[at];
      if (byte) at += kEncoded - 1;
    }
    if (decoded == out) break;
    if (i == kMostEncodings) return std::nullopt;
    out = std::move(decoded);
  }
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

/// The first name of paths that may have a credential in them: `/cloud-init/{node}/{credential}/{file}`.
constexpr std::string_view kMachines = "cloud-init";

bool is_seed_file(std::string_view name) {
  constexpr std::array<std::string_view, 5> kFiles{"meta-data", "network-config", "user-data", "vendor-data",
                                                   "vendor-data2"};
  return std::ranges::find(kFiles, name) != kFiles.end();
}

/// The places that the next name of a path can have. Proxies and clients read one path in several ways: they remove
/// empty names, `.`, `..` and what follows a `;`, and decode slashes, or do not. A path is read in all of these ways.
class PathPlaces {
 public:
  enum Place : unsigned { first = 1, project = 2, api = 4, node = 8, credential = 16, other = 32 };

  [[nodiscard]] bool may_be(Place place) const noexcept { return (places_ & place) != 0; }
  /// Whether the next name may show that the names behind it are those of a machine.
  [[nodiscard]] bool may_begin() const noexcept { return may_be(first) || may_be(api); }
  /// From here on each name may be a credential.
  void suspect_rest() noexcept { places_ |= credential; }

  void pass(std::string_view name) noexcept {
    unsigned next = name.empty() || name == "." ? places_ : 0;
    if (name == "..") next = places_ | first | project | api;
    if (may_be(first)) next |= name == kMachines ? node : name == "p" ? project : other;
    if (may_be(project)) next |= api;
    if (may_be(api)) next |= name == kMachines ? node : other;
    if (may_be(node) || may_be(credential)) next |= credential;
    if (may_be(other)) next |= other;
    places_ = next;
  }

 private:
  unsigned places_ = first;
};

/// Whether a part of a path may have a credential in it; `places` are those of its first name, and then those of the
/// name behind it.
bool may_have_credential(std::string_view part, bool is_last, PathPlaces& places) {
  const std::optional<std::string> plain = plain_part(part);
  if (!plain) {
    places.suspect_rest();
    return true;
  }
  if (places.may_be(PathPlaces::credential) && !(is_last && is_seed_file(*plain))) return true;
  bool out = has_token(*plain);
  const bool has_more_names = plain->find_first_of("/\\") != std::string::npos;
  for (std::string_view rest = *plain;;) {
    const std::size_t end = std::min(rest.find_first_of("/\\"), rest.size());
    const std::string_view name = rest.substr(0, end);
    const std::string_view bare = name.substr(0, name.find_first_of(";?#"));
    out = out || (has_more_names && places.may_be(PathPlaces::credential)) ||
          ((has_more_names || bare != name) &&
           (places.may_be(PathPlaces::node) || (places.may_begin() && bare == kMachines)));
    places.pass(bare);
    if (end == rest.size()) return out;
    rest.remove_prefix(end + 1);
  }
}

/// A path without the credentials that a client has put into it, for logs, errors and the audit. The place makes
/// a credential, behind the name of a machine: not its form, nor whether there is such a route. In doubt a part is one.
/// Tokens of strata are credentials in any place.
std::string path_without_credentials(std::string_view path) {
  PathPlaces places;
  std::string out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/', 1), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(end);
    const std::string_view name = part.substr(part.starts_with('/') ? 1 : 0);
    const bool is_last = path.find_first_not_of('/') == std::string_view::npos;
    const bool is_hidden = may_have_credential(name, is_last, places) && !name.empty();
    out += is_hidden ? std::string_view("/*") : part;
  }
  return out;
}

/// Machines that can only be given an address have their credential in it: `/cloud-init/{node}/{credential}/{file}`.
/// From here on it is as good as one in the headers.
void move_credential_to_header(Request& request) {
  constexpr std::size_t kPlace = 2;
  if (request.segments.size() != kPlace + 2 || request.segments.front() != kMachines) return;
  const std::string credential = request.segments[kPlace];
  request.segments.erase(request.segments.begin() + kPlace);
  if (request.headers.find("Authorization") == nullptr) request.headers.set("Authorization", "Bearer " + credential);
}

}  // namespace

Service::Service(Core& core, std::vector<std::unique_ptr<Face>> faces, std::size_t longest_body)
    : core_(core), faces_(std::move(faces)), longest_body_(longest_body) {
  for (const auto& face : faces_) routers_.emplace_back(face->routes());
}

void Service::read_target(std::string_view target, Request& request) {
  const std::size_t question = target.find('?');
  const std::string_view path = target.substr(0, question);
  if (!path.starts_with('/')) throw Refused(bad_path("the target of a request begins with a slash"));
  request.path = path_without_credentials(path);
  const bool is_right = read_segments(path, request.segments);
  if (question != std::string_view::npos) request.query_text = target.substr(question + 1);
  const bool has_project = request.segments.size() >= 2 && request.segments[0] == "p";
  const bool is_parent = has_project && (request.segments[1] == "." || request.segments[1] == "..");
  // An empty name names nothing: such a path has no route.
  if (has_project && !request.segments[1].empty()) {
    request.project = request.segments[1];
    request.segments.erase(request.segments.begin(), request.segments.begin() + 2);
  }
  move_credential_to_header(request);
  explore::take_cookie(request);
  // Last: what the path leads to says in which form this is refused. Pages say themselves which part of their address
  // they do not understand.
  const bool is_page = !request.segments.empty() && request.segments.front() == "explore";
  if (!is_right && !is_page) throw Refused(bad_path("the path has broken percent encoding, or text that is not UTF-8"));
  // Proxies and clients take such a path for a shorter one.
  if (is_parent) throw Refused(bad_path("'.' and '..' are not names of a project"));
  try {
    request.query = Query(request.query_text);
  } catch (const Error&) {
    if (!is_page) throw;
  }
}

std::size_t Service::face_of(const Request& request) const {
  const auto leads = [&request](std::string_view prefix) { return leads_to(prefix, request.segments); };
  const auto found =
      std::ranges::find_if(faces_, [&leads](const auto& face) { return std::ranges::any_of(face->prefixes(), leads); });
  return static_cast<std::size_t>(found - faces_.begin());
}

Way Service::way(const Request& request) const {
  Way out{.face = nullptr, .found = {}, .is_elsewhere = false, .is_brief = true, .longest_body = longest_body_};
  const std::size_t number = face_of(request);
  if (number == faces_.size()) return out;
  out.face = faces_[number].get();
  if (out.face->longest_body() != 0) out.longest_body = out.face->longest_body();
  const bool is_head = request.method == "HEAD" && out.face->knows_head();
  out.found = routers_[number].find(is_head ? "GET" : std::string_view(request.method), request.segments);
  if (out.found.route != nullptr && out.found.route->longest_body != 0)
    out.longest_body = out.found.route->longest_body;
  // It has to look into the store.
  const bool looks = request.headers.find("Strata-At") != nullptr;
  out.is_brief = !looks && (out.found.route == nullptr || out.found.route->work == Route::Work::brief);
  return out;
}

const std::string* Service::project_of(const Way& way) {
  if (way.found.route == nullptr) return nullptr;
  const std::string_view pattern = way.found.route->pattern;
  const std::size_t at = pattern.find("{project}");
  if (at == std::string_view::npos) return nullptr;
  return &way.found.captures[static_cast<std::size_t>(std::ranges::count(pattern.substr(0, at), '{'))];
}

Response Service::refused(const Request& request, const Way& way, const Refusal& refusal) const {
  // What is refused before it has a way, too, is refused in the form of its face.
  const std::size_t number = way.face == nullptr ? face_of(request) : faces_.size();
  const Face& face = way.face != nullptr ? *way.face : *faces_[number == faces_.size() ? 0 : number];
  Response out = face.refused(request, refusal);
  for (const Field& header : refusal.headers.fields()) out.headers.set(header.name, header.value);
  out.error = refusal.code;
  face.finish(request, out);
  return out;
}

namespace {

void check_head(const Request& request, const Way& way) {
  // What pages of others send, or who comes by a foreign name, is refused as that.
  if (request.unknown && request.unknown->status != 401) return;
  if (way.face != nullptr && !way.is_elsewhere) way.face->check_head(request);
}

Call call_of(Core& core, const Request& request, const Way& way, const Stop& stop) {
  Call call{.request = request,
            .route = *way.found.route,
            .core = core,
            .stop = stop,
            .captures = way.found.captures,
            .project = request.project};
  if (const std::string* project = Service::project_of(way)) call.project = *project;
  if (call.project.empty())
    call.project = request.principal.project.empty() ? std::string(way.face->project()) : request.principal.project;
  return call;
}

}  // namespace

std::optional<Response> Service::quick(const Request& request, const Way& way, const Stop& stop) const {
  if (way.found.route == nullptr || !way.found.route->quick) return std::nullopt;
  const Call call = call_of(core_, request, way, stop);
  if (!call.route.action.empty() && !call.may(call.route.action)) return std::nullopt;  // The whole way says why.
  try {
    std::optional<Response> out = call.route.quick(call);
    if (out) way.face->finish(request, *out);
    return out;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// The audit records a client with credentials that is refused.
void Service::note_refusal(const Request& request, const Way& way, const Refusal& refusal,
                           const Stop& stop) const noexcept {
  const bool is_wrong = refusal.status == 401 && (request.headers.find("Authorization") != nullptr ||
                                                  request.headers.find("X-Auth-Token") != nullptr);
  if ((refusal.status != 403 && !is_wrong) || way.found.route == nullptr || way.is_brief) return;
  try {
    core_.audit(call_of(core_, request, way, stop), refusal.status == 403 ? "refused" : "not recognised");
  } catch (const std::exception&) {
    // The response stays the same when it cannot be recorded.
  }
}

bool Service::refuses(const Request& request, const Way& way, const Stop& stop) const {
  if (way.found.route == nullptr) return true;
  return !way.found.route->action.empty() && !call_of(core_, request, way, stop).may(way.found.route->action);
}

std::optional<Response> Service::refused_early(const Request& request, const Way& way, const Stop& stop) const {
  if (!refuses(request, way, stop)) return std::nullopt;
  if (way.found.route == nullptr) return answer(request, way, stop);  // It has no handler.
  try {
    check_head(request, way);
    call_of(core_, request, way, stop).demand(way.found.route->action);
  } catch (const Refused& refusal) {
    note_refusal(request, way, refusal.refusal(), stop);
    return refused(request, way, refusal.refusal());
  }
  return std::nullopt;  // The policy was read again meanwhile.
}

namespace {

/// Whether the client has an answer already, as its handler did not ask itself.
bool is_known(const Request& request, const Response& response) {
  if (response.status != 200 || response.stream || (request.method != "GET" && request.method != "HEAD")) return false;
  const std::string* tag = response.headers.find("ETag");
  return tag != nullptr && has_answer(request, *tag);
}

}  // namespace

Response Service::answer(const Request& request, const Way& way, const Stop& stop) const {
  try {
    if (request.path == kWholeServer)
      return {.status = 204, .headers = {{"Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"}}};
    check_head(request, way);
    if (way.face == nullptr || way.found.allowed.empty()) {
      return refused(request, way,
                     {.status = 404,
                      .code = "request.route",
                      .message = "there is nothing at '" + request.path + "'",
                      .hint = "",
                      .type = "",
                      .headers = {}});
    }
    if (way.found.route == nullptr) {
      Response out = way.face->other_method(request, way.found.allowed);
      way.face->finish(request, out);
      return out;
    }
    const Route& route = *way.found.route;
    const Call call = call_of(core_, request, way, stop);
    // What is made of results counts, too: sessions have budgets of their own.
    Stop of_answer(&stop);
    of_answer.spend({.memory = Limits().memory});
    const StopScope work(&of_answer);
    if (!route.action.empty()) call.demand(route.action);
    check_write_is_seen(call);
    stop.check();  // It may have waited for its turn.
    Response out = route.answer(call);
    if (is_known(request, out)) {
      out.status = 304;
      out.body.clear();
      out.headers.remove("Content-Type");
    }
    way.face->finish(request, out);
    return out;
  } catch (const Refused& refusal) {
    note_refusal(request, way, refusal.refusal(), stop);
    return refused(request, way, refusal.refusal());
  } catch (const Error& error) {
    return refused(request, way, refusal_of(error));
  } catch (const std::bad_alloc&) {
    return refused(request, way, no_memory());
  } catch (const std::exception& failure) {
    return refused(request, way,
                   {.status = 500,
                    .code = "service.internal",
                    .message = failure.what(),
                    .hint = "this is a fault of strata",
                    .type = "",
                    .headers = {}});
  } catch (...) {
    return refused(request, way,
                   {.status = 500,
                    .code = "service.internal",
                    .message = "unexpected error",
                    .hint = "this is a fault of strata",
                    .type = "",
                    .headers = {}});
  }
}

}  // namespace strata::service
