// SPDX-License-Identifier: Apache-2.0
#include "message_parser.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/error.hpp"
#include "strata/stack.hpp"
#include "strata/stop.hpp"

namespace strata::cloudinit {
namespace {

bool is_line_end(std::string_view line) { return line.starts_with('\n') || line.starts_with('\r'); }

/// `Name:`, a fold, or the line that mailboxes put before a message.
bool is_header_line(std::string_view line) {
  if (line.starts_with("From ") || line.starts_with(' ') || line.starts_with('\t')) return true;
  const auto end = std::ranges::find_if(line, [](char c) { return c < 33 || c > 126 || c == ':'; });
  return end != line.end() && *end == ':';
}

class Parser {
 public:
  Parser(const Sources& sources, SourceId source, const Limits& limits)
      : sources_(sources), source_(source), limits_(limits), stop_(limits.stop), lines_(sources.text(source)) {}

  std::unique_ptr<Message> parse() { return message({}); }

 private:
  struct Depth {
    std::size_t multiparts = 0;
    std::size_t messages = 0;
  };

  std::unique_ptr<Message> message(Depth depth, const char* default_type = "text/plain") {
    check(depth);
    auto result = std::make_unique<Message>();
    Message& current = *result;
    current.may_be_damaged = true;
    current.body = Body(source_, Range{lines_.position(), lines_.position()});
    current.default_type = default_type;
    last_ = &current;
    headers(current);
    const std::string type = current.type();
    const std::string_view main = main_type(type);
    if (type == "message/delivery-status") {
      blocks(current, depth);
    } else if (main == "message") {
      current.is_container = true;
      current.children.push_back(message({depth.multiparts, depth.messages + 1}));
    } else if (main == "multipart") {
      multipart(current, depth);
    } else {
      leaf(current);
    }
    return result;
  }

  Range read_line() {
    stop_.tick();
    return lines_.read();
  }

  void check(Depth depth) {
    check_stack(limits_);
    if (depth.multiparts <= limits_.depth && depth.messages <= limits_.include_depth) return;
    const bool too_many_messages = depth.messages > limits_.include_depth;
    throw Error("limit.depth",
                fmt::format("{} are nested deeper than {} levels", too_many_messages ? "messages" : "multiparts",
                            too_many_messages ? limits_.include_depth : limits_.depth))
        .at(sources_, sources_.at(source_, lines_.position()))
        .hint(fmt::format("raise the limit with --limit {}=LEVELS", too_many_messages ? "include-depth" : "depth"));
  }

  void headers(Message& current) {
    std::vector<Range> block;
    for (Range line = read_line(); !line.empty(); line = read_line()) {
      const std::string_view text = lines_.text(line);
      if (!is_header_line(text)) {
        if (!is_line_end(text)) lines_.unread(line);
        break;
      }
      take_memory(sizeof(Range));
      block.push_back(line);
    }
    bool open = false;  // A fold belongs to the header before it.
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::string_view line = lines_.text(block[i]);
      if (line[0] == ' ' || line[0] == '\t') {
        if (open) current.headers.back().value += line;
        continue;
      }
      close(current, open);
      if (line.starts_with("From ")) {
        // At the end of the headers it is taken for the first line of the body.
        if (i > 0 && i + 1 == block.size()) lines_.unread(block[i]);
        continue;
      }
      const std::size_t colon = line.find(':');
      if (colon == 0) continue;
      const std::size_t value = std::min(line.find_first_not_of(" \t", colon + 1), line.size());
      stop_.tick();
      take_memory(sizeof(Header) + line.size());
      current.headers.push_back({std::string(line.substr(0, colon)), std::string(line.substr(value))});
      open = true;
    }
    close(current, open);
  }

  static void close(Message& current, bool& open) {
    if (!open) return;
    std::string& value = current.headers.back().value;
    value.resize(value.find_last_not_of("\r\n") + 1);
    open = false;
  }

  /// The rest, up to where an enclosing part ends.
  void leaf(Message& current) {
    std::vector<Range> ranges;
    for (Range line = read_line(); !line.empty(); line = read_line()) {
      if (!ranges.empty() && ranges.back().end == line.begin)
        ranges.back().end = line.end;
      else
        ranges.push_back(line);
    }
    if (ranges.size() <= 1) {
      current.body = Body(source_, ranges.empty() ? Range{lines_.position(), lines_.position()} : ranges.front());
      return;
    }
    std::string text;
    std::vector<Segment> segments;
    for (const Range& range : ranges) {
      segments.push_back(
          {.inner = static_cast<std::uint32_t>(text.size()), .outer = sources_.at(source_, range.begin)});
      text += lines_.text(range);
    }
    current.body = Body(source_, std::move(text), std::move(segments));
  }

  /// A delivery report: blocks of headers.
  void blocks(Message& current, Depth depth) {
    current.is_container = true;
    while (true) {
      lines_.open_block();
      current.children.push_back(message({depth.multiparts + 1, depth.messages}));
      lines_.close_block();
      read_line();  // the empty line between two blocks
      const Range line = read_line();
      if (line.empty()) return;
      lines_.unread(line);
    }
  }

  void multipart(Message& current, Depth depth) {
    const auto boundary = boundary_of(current.headers);
    if (!boundary) {
      current.boundary_problem = "it does not name a boundary";
      leaf(current);
      return;
    }
    BoundaryLine found = BoundaryLine::none;
    Range line = read_line();
    for (; !line.empty() && found == BoundaryLine::none; line = read_line()) {
      found = match_boundary(lines_.text(line), *boundary);
      if (found != BoundaryLine::none) break;
    }
    if (found != BoundaryLine::separator) {
      current.boundary_problem = fmt::format("its boundary '{}' never begins a part", *boundary);
      skip_rest();
      return;
    }
    current.is_container = true;
    const char* part_type = current.type() == "multipart/digest" ? "message/rfc822" : "text/plain";
    while (found == BoundaryLine::separator) {
      // Whatever stands between boundaries that follow each other is no part, not even after a closing one.
      do line = read_line();
      while (match_boundary(lines_.text(line), *boundary) != BoundaryLine::none);
      lines_.unread(line);
      lines_.open_boundary(*boundary);
      current.children.push_back(message({depth.multiparts + 1, depth.messages}, part_type));
      // The line end before a boundary belongs to the boundary.
      if (!last_->is_container && main_type(last_->type()) != "multipart") last_->body.drop_line_end(sources_);
      lines_.close_boundary(*boundary);
      last_ = &current;
      line = read_line();
      found = line.empty() ? BoundaryLine::none : match_boundary(lines_.text(line), *boundary);
    }
    if (found == BoundaryLine::closing) skip_rest();
  }

  void take_memory(std::size_t bytes) const {
    if (limits_.stop != nullptr) limits_.stop->take_memory(bytes);
  }

  void skip_rest() {
    while (!read_line().empty()) {
    }
  }

  const Sources& sources_;
  SourceId source_;
  const Limits& limits_;
  StopCheck stop_;
  Lines lines_;
  Message* last_ = nullptr;  ///< The message that was begun last, or the multipart whose part was finished last.
};

}  // namespace

std::unique_ptr<Message> parse_message(const Sources& sources, SourceId source, const Limits& limits) {
  return Parser(sources, source, limits).parse();
}

}  // namespace strata::cloudinit
