// SPDX-License-Identifier: Apache-2.0
#include "part_handler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parts/detect.hpp"
#include "parts/gzip.hpp"
#include "parts/launch_index.hpp"
#include "parts/python_text.hpp"
#include "parts/warnings.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "template_header.hpp"

namespace strata::cloudinit {
namespace {

/// Types that other handlers of cloud-init consume: nothing for the configuration.
constexpr std::array<std::string_view, 6> kKept{
    "text/x-shellscript",          "text/x-shellscript-per-boot", "text/x-shellscript-per-instance",
    "text/x-shellscript-per-once", "text/cloud-boothook",         "text/part-handler"};

bool is_kept(std::string_view type) { return std::ranges::find(kKept, type) != kKept.end(); }

/// The first line of a text, short, with control characters made visible.
std::string first_line(std::string_view text) {
  constexpr std::size_t kShown = 60;
  std::string out;
  text = text.substr(0, std::min(text.find_first_of("\r\n"), text.size()));
  const bool cut = text.size() > kShown;
  text = text.substr(0, kShown);
  while (!text.empty() && text::find_invalid_utf8(text) != std::string_view::npos)
    text = text.substr(0, text::find_invalid_utf8(text));
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 ? '.' : c;
  return cut ? out + "…" : out;
}

/// The way out for a text without a marker.
std::string hint_of_unmarked(std::string_view text) {
  // Another warning describes these.
  if (has_gzip_magic(text) || is_encoded_blob(text)) return {};
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark) && !detect_type(text.substr(kByteOrderMark.size())).empty()) {
    return "there is a byte order mark before the first line: save the file without it";
  }
  const bool is_utf16 = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
                        text.starts_with(std::string_view("#\0", 2)) || text.starts_with(std::string_view("\0#", 2));
  if (is_utf16) return "this is UTF-16: save the file as UTF-8";
  return "a cloud-config begins with the line '#cloud-config'";
}

}  // namespace

PartReport PartHandler::filtered(const Part& part) const {
  return {.source = label_,
          .name = part.name,
          .type = part.type,
          .origin = {},
          .fate = PartFate::filtered,
          .mergers = {},
          .headers = {}};
}

PartReport PartHandler::handle(const Part& part) {
  session_.stop().at(session_.sources().at(part.source, 0));
  session_.stop().check();
  PartReport report{.source = label_,
                    .name = part.name,
                    .type = part.type,
                    .origin = session_.sources().at(part.source, 0),
                    .mergers = {},
                    .headers = {}};
  for (const Header& header : part.headers) report.headers.emplace_back(header.name, header.value);
  try {
    report.fate = dispatch(part, report);
  } catch (const Error& error) {
    // A limit of strata is not a failure of the reference, which would have used the part; too deep nesting fails there
    // as well.
    if (error.gives_up() && error.limit() != Limit::depth) throw;
    skip(part, error);
    report.fate = PartFate::skipped;
  }
  return report.fate == PartFate::filtered ? filtered(part) : report;
}

PartFate PartHandler::dispatch(const Part& part, PartReport& report) {
  if (part.type == "text/cloud-config") return merge_config(part, part.source, report);
  if (part.type == "text/cloud-config-jsonp") {
    merger_.patch(part.source);
    report.mergers = "a JSON patch";
    return PartFate::merged;
  }
  if (part.type == "text/jinja2") return render(part, report);
  if (is_kept(part.type)) return PartFate::kept;
  return unhandled(part);
}

/// Rendered templates are for all machines, whatever they say.
bool PartHandler::is_for_others(const Part& part, const Value& config) const {
  if (!launch_index_ || part.type != "text/cloud-config" || part.header("Launch-Index") != nullptr) return false;
  const auto index = launch_index(config);
  return index && index != launch_index_;
}

PartFate PartHandler::merge_config(const Part& part, SourceId source, PartReport& report) {
  const text::Document config = documents_.read_mapping(source);
  if (is_for_others(part, config.root)) return PartFate::filtered;
  report.config = config.root;
  documents_.warn_of_repeated_keys(config, part.label);
  const std::string* header = part.header("Merge-Type");
  if (header == nullptr || header->empty()) header = part.header("X-Merge-Type");
  const auto mergers = merger_.merge_config(config, source, header == nullptr ? std::string_view{} : *header,
                                            session_.sources().at(part.source, 0), part.label);
  report.mergers = mergers.value_or("");
  return mergers ? PartFate::merged : PartFate::skipped;
}

PartFate PartHandler::render(const Part& part, PartReport& report) {
  const auto header = template_header(session_.sources().text(part.source));
  if (!header || header->kind != "jinja") {
    throw Error("template.kind", fmt::format("'{}' does not name the template kind jinja",
                                             first_line(session_.sources().text(part.source))))
        .at(session_.sources(), session_.sources().at(part.source, 0))
        .hint("the first line must be '## template: jinja'");
  }
  const SourceId rendered = render_template(documents_, part.source, header->body, instance_data_);
  const std::string_view type = detect_type(session_.sources().text(rendered));
  // The reference hands a rendered patch to the cloud-config handler, where it fails as YAML.
  if (type == "text/cloud-config" || type == "text/cloud-config-jsonp") return merge_config(part, rendered, report);
  if (type == "text/x-shellscript") return PartFate::kept;
  throw Error("template.type", type.empty() ? std::string("the rendered template does not begin with a known marker")
                                            : fmt::format("the template renders to {}, which is not allowed", type))
      .at(session_.sources(), session_.sources().at(rendered, 0))
      .hint("the line after '## template: jinja' must be '#cloud-config', or that of a script");
}

PartFate PartHandler::unhandled(const Part& part) {
  const std::string_view text = session_.sources().text(part.source);
  if (text.empty()) return PartFate::unhandled;
  Diagnostic diagnostic{.code = "part.unhandled",
                        .message = fmt::format("{}: no handler for the type {} of this part, which begins with '{}'",
                                               part.label, part.type, first_line(text)),
                        .where = {},
                        .notes = {},
                        .hint = {}};
  diagnostic.where.place = session_.sources().place(session_.sources().at(part.source, 0));
  if (part.type == "text/x-not-multipart" || part.type == "text/plain") diagnostic.hint = hint_of_unmarked(text);
  session_.diagnostics().warn(std::move(diagnostic));
  return PartFate::unhandled;
}

void PartHandler::skip(const Part& part, const Error& error) {
  Diagnostic diagnostic = error.diagnostic();
  diagnostic.message = fmt::format("{} is skipped: {}", part.label, diagnostic.message);
  if (part.type != "text/jinja2") {
    const std::string declared = fmt::format(
        "the part is declared as {}, so that its template header has no effect: declare it as text/jinja2", part.type);
    const std::string_view hint = template_hint(error, session_.sources().text(part.source), declared);
    if (!hint.empty()) diagnostic.hint = hint;
  }
  if (diagnostic.where.place.file.empty())
    diagnostic.where.place = session_.sources().place(session_.sources().at(part.source, 0));
  session_.diagnostics().warn(std::move(diagnostic));
}

}  // namespace strata::cloudinit
