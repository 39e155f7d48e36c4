// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <zlib.h>

#include <map>
#include <memory>
#include <string>

#include "cloudinit/parts/detect.hpp"
#include "cloudinit/parts/flattener.hpp"
#include "cloudinit/parts/gzip.hpp"
#include "cloudinit/parts/include_list.hpp"
#include "cloudinit/parts/launch_index.hpp"
#include "cloudinit/parts/python_text.hpp"
#include "cloudinit/parts/rfc2231.hpp"
#include "cloudinit/parts/transfer.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "support/sessions.hpp"

namespace strata::cloudinit {
namespace {

std::string gzip(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string result(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

/// A multipart message around parts, each given with its headers.
std::string multipart(std::initializer_list<std::string> parts) {
  std::string text = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"B\"\n\n";
  for (const std::string& part : parts) text += "--B\n" + part + "\n";
  return text + "--B--\n";
}

class Net final : public Fetcher {
 public:
  std::string get(const std::string& url, const Stop* /*stop*/) override {
    ++calls;
    return "#cloud-config\nurl: " + url + "\ncall: " + std::to_string(calls) + "\n";
  }
  int calls = 0;
};

class Parts : public ::testing::Test {
 protected:
  std::vector<Part> flatten(const std::map<std::string, std::string>& files,
                            const std::vector<std::string>& names = {"a"}, std::optional<std::string> index = {}) {
    session.reset(new Session(testing::test_session(files, {.limits = limits})));
    std::vector<SourceId> blobs;
    for (const std::string& name : names) blobs.push_back(session->sources().add(name, files.at(name)));
    Flattener flattener(*session, network);
    std::vector<Part> parts = flattener.flatten(blobs, index);
    for (const Diagnostic& warning : session->diagnostics().warnings()) warned.push_back(warning.code);
    return parts;
  }
  std::vector<Part> flatten(const std::string& text) {
    return flatten(std::map<std::string, std::string>{{"a", text}});
  }

  /// `type name payload` of each part.
  std::vector<std::string> list(const std::vector<Part>& parts) const {
    std::vector<std::string> result;
    for (const Part& part : parts)
      result.push_back(part.type + " " + part.name + " " + std::string(session->sources().text(part.source)));
    return result;
  }

  /// Where the first `words` of a part stand.
  std::string place(const Part& part, std::string_view words) const {
    return session->sources()
        .place(session->sources().at(part.source, session->sources().text(part.source).find(words)))
        .to_string();
  }

  template <class Run>
  Error error(Run run) {
    try {
      run();
    } catch (Error& thrown) {
      return thrown;
    }
    ADD_FAILURE() << "no error";
    return {"", ""};
  }

  /// The codes of all warnings so far.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warned; }

  using List = std::vector<std::string>;
  Limits limits;
  Fetcher* network = nullptr;
  std::unique_ptr<Session> session;  ///< Of the last call.
  std::vector<std::string> warned;
};

TEST_F(Parts, OneConfigIsOnePartAndTheBlobItself) {
  const auto parts = flatten("#cloud-config\na: 1\n");
  EXPECT_EQ(list(parts), List{"text/cloud-config part-001 #cloud-config\na: 1\n"});
  EXPECT_EQ(place(parts[0], "a: 1"), "a:2:1");
  EXPECT_TRUE(session->diagnostics().warnings().empty());
}

TEST_F(Parts, MessagePartsStandInTheOuterFile) {
  const auto parts = flatten(multipart({"Content-Type: text/cloud-config\nMerge-Type: list(append)\n\na: 1\n",
                                        "Content-Disposition: x; filename=s.sh\n\n#!/bin/sh"}));
  EXPECT_EQ(list(parts), (List{"text/cloud-config part-001 a: 1\n", "text/x-shellscript s.sh #!/bin/sh"}));
  EXPECT_EQ(place(parts[0], "a: 1"), "a[part-001]:8:1");
  ASSERT_NE(parts[0].header("Merge-Type"), nullptr);
  EXPECT_EQ(*parts[0].header("Merge-Type"), "list(append)");
  EXPECT_EQ(parts[0].header("merge-type"), nullptr);
}

TEST_F(Parts, EncodedPartsHaveTheirOwnLines) {
  const auto parts =
      flatten(multipart({"Content-Transfer-Encoding: base64\n\n" + base64_encode("#cloud-config\na: 1\n") + "\n"}));
  EXPECT_EQ(list(parts), List{"text/cloud-config part-001 #cloud-config\na: 1\n"});
  EXPECT_EQ(place(parts[0], "a: 1"), "a[part-001]:2:1");
}

TEST_F(Parts, OddMessagesAreReadAsTheReferenceDoes) {
  const std::string head = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n";
  // No closing boundary; blanks after boundaries; a longer boundary is another one.
  EXPECT_EQ(list(flatten(head + "--B \t\n\n#cloud-config\n--BB\n--B\n\nx\n")),
            (List{"text/cloud-config part-001 #cloud-config\n--BB", "text/plain part-002 x"}));
  // A line without colon ends the headers, and a truncated message has an empty last part.
  EXPECT_EQ(list(flatten(head + "--B\nno colon\nContent-Type: x/y\n\nz\n--B\n")),
            (List{"text/plain part-001 no colon\nContent-Type: x/y\n\nz", "text/plain part-002 "}));
  // A config that only mentions the words is a message without headers.
  EXPECT_EQ(list(flatten("#cloud-config\n# MIME-Version: 1\na: 1\n")),
            List{"text/cloud-config part-001 #cloud-config\n# MIME-Version: 1\na: 1\n"});
  // A line of a mailbox at the end of the headers is the first of the body.
  EXPECT_EQ(list(flatten("mime-version: 1\nFrom x\n\n#cloud-config\n")),
            List{"text/plain part-001 From x\n#cloud-config\n"});
  EXPECT_EQ(list(flatten("MIME-Version: 1\r\nContent-Type: text/cloud-config\r\n\r\na: 1\r\n")),
            List{"text/cloud-config part-001 a: 1\r\n"});
}

TEST_F(Parts, MessagesInsideMessagesCountTwice) {
  EXPECT_EQ(list(flatten(multipart({"Content-Type: message/rfc822\n\nContent-Type: text/cloud-config\n\na: 1"}))),
            (List{"message/rfc822 part-001 ", "text/cloud-config part-002 a: 1", "text/cloud-config part-002 a: 1"}));
}

TEST_F(Parts, WarnsAboutMessages) {
  flatten(multipart({"merge-type: list(append)\n\n#cloud-config"}));
  flatten("MIME-Version: 1\nContent-Type: multipart/mixed\n\nx\n");
  flatten("MIME-Version: 1\nContent-Type: multipart/mixed; boundary=B\n\nx\n");
  flatten(multipart({"Content-Type: text/cloud-config\n\na: é"}));
  flatten(base64_encode("#cloud-config\na: 1\n") + "\n");
  flatten(multipart(
      {"Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n" + base64_encode(gzip("x"))}));
  flatten(multipart({"Content-Type: application/gzip\nMerge-Type: x\nContent-Transfer-Encoding: base64\n\n" +
                     base64_encode(gzip("#cloud-config\n"))}));
  flatten(gzip("#cloud-config\n") + "junk");
  EXPECT_EQ(warnings(), (List{"mime.header-case", "mime.boundary", "mime.boundary", "mime.not-ascii", "blob.base64",
                              "gzip.undeclared", "gzip.merge-type-lost", "gzip.blob-damaged"}));
}

TEST_F(Parts, NotUtf8IsFatalInMessagesOnly) {
  EXPECT_EQ(error([&] { flatten("MIME-Version: 1\n\n\xFF"); }).code(), "mime.encoding");
  EXPECT_EQ(list(flatten("#cloud-config\n\xFF")), List{"text/cloud-config part-001 #cloud-config\n\xFF"});
}

TEST_F(Parts, CompressedBlobsAndParts) {
  EXPECT_EQ(list(flatten(gzip("#cloud-") + gzip("config\n") + std::string(3, '\0'))),
            List{"text/cloud-config part-001 #cloud-config\n"});
  EXPECT_EQ(list(flatten(gzip("#cloud-config\n") + "x"))[0].substr(0, 20), "text/x-not-multipart");
  const std::string head =
      "Content-Type: application/x-gzip\nLaunch-Index: 3\nMerge-Type: x\nContent-Transfer-Encoding: base64\n\n";
  const auto parts = flatten(multipart({head + base64_encode(gzip("#cloud-config\na: 1\n"))}));
  EXPECT_EQ(list(parts), List{"text/cloud-config part-001 #cloud-config\na: 1\n"});
  EXPECT_EQ(parts[0].header("Merge-Type"), nullptr);
  EXPECT_EQ(*parts[0].header("Launch-Index"), "3");
  EXPECT_EQ(list(flatten(multipart({"Content-Type: application/gzip\n"}))), List{"text/plain part-001 "});
  const Error damaged = error([&] { flatten(multipart({head + base64_encode("not gzip")})); });
  EXPECT_EQ(damaged.code(), "gzip.damaged");
  EXPECT_NE(std::string(damaged.what()).find("decompress"), std::string::npos);
  EXPECT_EQ(error([&] { flatten(multipart({head + base64_encode(gzip("\xFF"))})); }).code(), "gzip.encoding");
}

TEST_F(Parts, BombsHitTheLimit) {
  limits.input = 1 << 20;
  EXPECT_EQ(error([&] { flatten(gzip(std::string(1 << 22, 'a'))); }).code(), "limit.input");
}

TEST_F(Parts, DeepNestingHitsTheLimit) {
  std::string text = "MIME-Version: 1.0\n";
  for (int i = 0; i < 10'000; ++i)
    text += "Content-Type: multipart/mixed; boundary=B" + std::to_string(i) + "\n\n--B" + std::to_string(i) + "\n";
  EXPECT_EQ(error([&] { flatten(text); }).code(), "limit.depth");
  text = "MIME-Version: 1.0\n";
  for (int i = 0; i < 10'000; ++i) text += "Content-Type: message/rfc822\n\n";
  EXPECT_EQ(error([&] { flatten(text); }).code(), "limit.depth");
}

TEST_F(Parts, Includes) {
  const std::map<std::string, std::string> files = {
      {"a", "#include\n# note\n\n  file:b  \n#include-once file://c\n/d\n"},
      {"b", "#cloud-config\n"},
      {"c", multipart({"\n#!x"})},
      {"d", "#include b\n"}};
  const auto parts = flatten(files);
  EXPECT_EQ(list(parts), (List{"text/cloud-config part-001 #cloud-config\n", "text/x-shellscript part-002 #!x",
                               "text/cloud-config part-003 #cloud-config\n"}));
  EXPECT_EQ(session->sources().file(parts[1].source), "c");
}

TEST_F(Parts, MissingIncludesAreFatal) {
  const Error missing = error([&] { flatten("#include\nfile:nope.txt\n"); });
  EXPECT_EQ(missing.code(), "include.missing");
  EXPECT_NE(std::string(missing.what()).find("nope.txt"), std::string::npos);
  EXPECT_EQ(missing.diagnostic().where.place.to_string(), "a:2:1");
  EXPECT_EQ(error([&] { flatten("#include gopher://x\n"); }).code(), "include.scheme");
}

TEST_F(Parts, IncludeCyclesNameTheirChain) {
  const Error cycle = error([&] {
    flatten({{"a", "#include file:b\n"}, {"b", "#include file:c\n"}, {"c", "#include file:b\n"}}, {"a"});
  });
  EXPECT_EQ(cycle.code(), "include.cycle");
  EXPECT_STREQ(cycle.what(), "'b' includes itself: b -> c -> b");
}

TEST_F(Parts, IncludesAreCounted) {
  limits.includes = 3;
  EXPECT_EQ(error([&] { flatten({{"a", "#include\nb\nb\nb\nb\n"}, {"b", "#!"}}, {"a"}); }).code(), "limit.includes");
  limits.include_depth = 1;
  EXPECT_EQ(error([&] {
              flatten({{"a", "#include b\n"}, {"b", "#include c\n"}, {"c", "#!"}}, {"a"});
            }).code(),
            "limit.include-depth");
}

TEST_F(Parts, TheNetworkIsAskedOnlyWhereAllowed) {
  const std::string text = "#include-once\nhttp://h/x\nhttp://h/x\n#include\nhttp://h/x\n";
  const Error refused = error([&] { flatten(text); });
  EXPECT_EQ(refused.code(), "include.network");
  EXPECT_NE(refused.diagnostic().hint.find("--allow-network"), std::string::npos);
  Net net;
  network = &net;
  const auto parts = flatten(text);
  EXPECT_EQ(net.calls, 2);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(session->sources().text(parts[0].source), session->sources().text(parts[1].source));
  EXPECT_EQ(session->sources().file(parts[2].source), "http://h/x");
}

TEST_F(Parts, ArchiveEntriesStandInTheOuterFile) {
  const auto parts = flatten(
      "#cloud-config-archive\n"
      "- 'a: 1'\n"
      "- content: |\n"
      "    #!/bin/sh\n"
      "\n"
      "    echo é\n"
      "- {type: text/cloud-config, filename: x.cfg, content: \"b: 1\\n\", Merge-Type: m}\n"
      "- [ignored]\n"
      "- content: >\n"
      "    #cloud-boothook\n");
  EXPECT_EQ(list(parts), (List{"text/cloud-config part-001 a: 1", "text/x-shellscript part-002 #!/bin/sh\n\necho é\n",
                               "text/cloud-config x.cfg b: 1\n", "text/cloud-boothook part-004 #cloud-boothook\n"}));
  EXPECT_EQ(place(parts[0], "1"), "a[part-001]:2:7");
  EXPECT_EQ(place(parts[1], "echo"), "a[part-002]:6:5");
  EXPECT_EQ(place(parts[2], "b"), "a[x.cfg]:1:1");
  EXPECT_EQ(*parts[2].header("Merge-Type"), "m");
  EXPECT_TRUE(warnings().empty());
}

TEST_F(Parts, BadArchives) {
  const std::string head = "#cloud-config-archive\n";
  EXPECT_TRUE(flatten(head + "a: 1\n").empty());
  EXPECT_TRUE(flatten(head + "[").empty());
  EXPECT_EQ(warnings(), (List{"archive.syntax", "archive.syntax"}));
  EXPECT_TRUE(flatten(head).empty());
  const Error type = error([&] { flatten(head + "- {type: foo, content: 'a: 1'}\n"); });
  EXPECT_EQ(type.code(), "archive.type");
  EXPECT_NE(std::string(type.what()).find("foo"), std::string::npos);
  EXPECT_EQ(type.diagnostic().where.place.to_string(), "a:2:10");
  for (const char* content : {"null", "5", "{a: 1}"}) {
    EXPECT_EQ(error([&] { flatten(head + "- {content: " + content + "}\n"); }).code(), "archive.content");
  }
  EXPECT_EQ(error([&] { flatten(head + "- {X-Foo: 1}\n"); }).code(), "archive.header");
}

TEST_F(Parts, LaunchIndex) {
  const std::string text =
      multipart({"Launch-Index: 3 \n\n#!a", "Launch-Index: 1.0\n\n#!b", "\n#!c", "Launch-Index: 4\n\n#!d"});
  EXPECT_EQ(list(flatten({{"a", text}}, {"a"}, "3")),
            (List{"text/x-shellscript part-001 #!a", "text/x-shellscript part-003 #!c"}));
  EXPECT_EQ(flatten(text).size(), 4U);
  EXPECT_EQ(launch_index(" +0_7 "), "7");
  EXPECT_EQ(launch_index("1.0"), std::nullopt);
  EXPECT_EQ(launch_index("-00"), "0");
  const auto body = [&](std::string yaml) {
    Sources texts;
    return launch_index(text::read_yaml(texts, texts.add("y", std::move(yaml)), text::pyyaml(), limits).root);
  };
  EXPECT_EQ(body("launch-index: '2'"), "2");
  EXPECT_EQ(body("launch-index: 1.9"), "1");
  EXPECT_EQ(body("launch-index: true"), "1");
  EXPECT_EQ(body("launch-index: x"), std::nullopt);
  EXPECT_EQ(body("[]"), std::nullopt);
}

TEST(Detection, LongestMarkerWins) {
  EXPECT_EQ(detect_type(" \n#Include-Once x"), "text/x-include-once-url");
  EXPECT_EQ(detect_type("#included"), "text/x-include-url");
  EXPECT_EQ(detect_type("\xC2\xA0#cloud-config-archiv"), "text/cloud-config");
  EXPECT_EQ(detect_type("\xEF\xBB\xBF#cloud-config"), "");
  EXPECT_EQ(detect_type("---\n#cloud-config"), "");
  EXPECT_EQ(detect_type(""), "");
}

TEST(HeaderParameters, FollowTheReference) {
  EXPECT_EQ(header_parameter("attachment; FileName = \"a;b\"; x", "filename"), "a;b");
  EXPECT_EQ(header_parameter("attachment; filename*=utf-8'en'%C3%A9%20x", "filename"), "é x");
  EXPECT_EQ(header_parameter("attachment; filename*1=c; filename*0*=iso-8859-1''%E9b", "filename"), "ébc");
  EXPECT_EQ(header_parameter("attachment; filename*=nope''%41", "filename"), "A");
  EXPECT_EQ(header_parameter("attachment; filename*=utf-8''%FF%41", "filename"), "\uFFFDA");
  EXPECT_EQ(header_parameter("attachment", "filename"), std::nullopt);
  EXPECT_EQ(header_parameter("", "filename"), std::nullopt);
  for (const std::string name : {"a", "a b", "q\"uo\\te", "é €", "x;y=z"}) {
    EXPECT_EQ(header_parameter("attachment; " + format_parameter("filename", name), "filename"), name);
  }
}

TEST(TransferEncodings, DamageIsTolerated) {
  EXPECT_EQ(decode_transfer("YW\nJj\n", transfer_of("BASE64")), "abc");
  EXPECT_EQ(decode_transfer("YWI", Transfer::base64), "ab");
  EXPECT_EQ(decode_transfer("YWJjZ", Transfer::base64), "YWJjZ");
  EXPECT_EQ(transfer_of("base64 "), Transfer::identity);
  EXPECT_EQ(decode_transfer("a=3D=\nb==c=zz=", Transfer::quoted_printable), "a=b=c=zz");
  EXPECT_EQ(decode_transfer("begin 644 f\n#86)C\n`\nend\n", Transfer::uuencode), "abc");
  EXPECT_EQ(decode_transfer("junk", Transfer::uuencode), "junk");
}

// Whatever is cut off or flipped, there is an answer or an Error.
TEST_F(Parts, HostileInputNeverCrashes) {
  const std::string whole = multipart(
      {"Content-Type: multipart/digest; boundary=C\n\n--C\n\nSubject: x\n\ny\n--C--\n",
       "Content-Type: message/delivery-status\n\nA: b\n\nC: d\n",
       "Content-Type: application/gzip\nContent-Transfer-Encoding: base64\n\n" + base64_encode(gzip("#cloud-config\n")),
       "Content-Disposition: a; filename*0*=utf-8''%4; filename*1=\"\\\"\n\n#cloud-config-archive\n- {content: |\n "
       "x}\n"});
  unsigned random = 1;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string flipped = whole;
    random = random * 1664525U + 1013904223U;
    flipped[i] = static_cast<char>(random >> 24U);
    for (const std::string& text : {whole.substr(0, i), flipped, gzip(whole).substr(0, i % 200)}) {
      try {
        for (const Part& part : flatten(text)) (void)place(part, "x");
      } catch (const Error&) {
      }
    }
  }
  EXPECT_EQ(flatten("MIME-Version: 1.0\nContent-Type: x/y" + std::string(1 << 20, ';') + "\n\n").size(), 1U);
  EXPECT_EQ(flatten("MIME-Version: 1.0\nContent-Disposition: \"" + std::string(1 << 20, ';') + "\n\n").size(), 1U);
}

}  // namespace
}  // namespace strata::cloudinit
