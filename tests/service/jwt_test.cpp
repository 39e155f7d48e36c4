// SPDX-License-Identifier: Apache-2.0
// JWTs: what is taken, and what is refused.
#include <cjose/cjose.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "asking.hpp"
#include "http_peer.hpp"
#include "service/identity/key_source.hpp"
#include "service/identity/recognisers.hpp"
#include "store/encoding.hpp"
#include "strata/error.hpp"
#include "support/temporary_folder.hpp"

namespace strata::service {
namespace {

using strata::testing::HttpPeer;
using testing::bearing;
using testing::status_of;
using testing::TurnedClocks;

std::string url_base64(std::string_view bytes) {
  std::string out = store::base64(bytes);
  std::ranges::replace(out, '+', '-');
  std::ranges::replace(out, '/', '_');
  out.resize(out.find_last_not_of('=') + 1);
  return out;
}

/// A key pair.
class TokenSigner {
 public:
  static TokenSigner rsa(const std::string& id, std::size_t bits = 2048) {
    cjose_err error{};
    return TokenSigner(cjose_jwk_create_RSA_random(bits, nullptr, 0, &error), id);
  }
  static TokenSigner curve(const std::string& id, cjose_jwk_ec_curve curve) {
    cjose_err error{};
    return TokenSigner(cjose_jwk_create_EC_random(curve, &error), id);
  }
  static TokenSigner shared_secret(const std::string& id) {
    cjose_err error{};
    return TokenSigner(cjose_jwk_create_oct_random(256, &error), id);
  }
  ~TokenSigner() { cjose_jwk_release(key_); }
  TokenSigner(const TokenSigner&) = delete;
  TokenSigner& operator=(const TokenSigner&) = delete;

  /// As a member of a JWKS, with more members.
  [[nodiscard]] std::string json(const std::string& more = "", bool with_private = false) const {
    cjose_err error{};
    char* text = cjose_jwk_to_json(key_, with_private, &error);
    std::string out(text);
    std::free(text);  // NOLINT(cppcoreguidelines-no-malloc): the library's
    return out.substr(0, out.size() - 1) + more + "}";
  }

  [[nodiscard]] std::string sign(const std::string& algorithm, const std::string& claims, bool with_id = true,
                                 const char* more = nullptr, const char* value = nullptr) const {
    cjose_err error{};
    cjose_header_t* header = cjose_header_new(&error);
    cjose_header_set(header, "alg", algorithm.c_str(), &error);
    if (with_id) cjose_header_set(header, "kid", id_.c_str(), &error);
    if (more != nullptr) cjose_header_set_raw(header, more, value, &error);
    cjose_jws_t* jws =
        cjose_jws_sign(key_, header, reinterpret_cast<const std::uint8_t*>(claims.data()), claims.size(), &error);
    const char* text = nullptr;
    if (jws == nullptr || !cjose_jws_export(jws, &text, &error)) throw std::runtime_error(error.message);
    std::string out(text);
    cjose_jws_release(jws);
    cjose_header_release(header);
    return out;
  }

 private:
  TokenSigner(cjose_jwk_t* key, std::string id) : key_(key), id_(std::move(id)) {
    cjose_err error{};
    cjose_jwk_set_kid(key_, id_.c_str(), id_.size(), &error);
  }

  cjose_jwk_t* key_;
  std::string id_;
};

const TokenSigner& rsa_signer() {
  static const TokenSigner signer = TokenSigner::rsa("r");
  return signer;
}
const TokenSigner& p256_signer() {
  static const TokenSigner signer = TokenSigner::curve("e", CJOSE_JWK_EC_P_256);
  return signer;
}
const TokenSigner& p384_signer() {
  static const TokenSigner signer = TokenSigner::curve("f", CJOSE_JWK_EC_P_384);
  return signer;
}

std::string key_set(std::initializer_list<std::string> keys) {
  std::string out;
  for (const std::string& key : keys) out.append(out.empty() ? "" : ",").append(key);
  return "{\"keys\":[" + out + "]}";
}

class Jwts : public ::testing::Test {
 protected:
  Jwts() { write(key_set({rsa_signer().json(), p256_signer().json(), p384_signer().json()})); }
  void write(const std::string& text) const { std::ofstream(file_) << text; }
  [[nodiscard]] std::unique_ptr<Recogniser> recogniser() const {
    return recognise_by_jwt(options_, {}, clocks_.clocks());
  }
  [[nodiscard]] std::string claims(const std::string& more = "", std::int64_t rest = 600) const {
    return fmt::format(R"({{"iss":"https://id","aud":"strata","sub":"u1","roles":["reader","editor"],"exp":{}{}}})",
                       clocks_.seconds() + rest, more);
  }
  [[nodiscard]] std::string refused(const std::string& jwks) const {
    write(jwks);
    try {
      (void)recogniser();
    } catch (const Error& error) {
      return error.code();
    }
    return "";
  }

  strata::testing::TemporaryFolder folder_;
  std::string file_ = folder_ / "jwks.json";
  TurnedClocks clocks_;
  OidcOptions options_{.issuer = "https://id", .audiences = {"other", "strata"}, .jwks = file_};
};

TEST_F(Jwts, OfAllAlgorithmsAreTaken) {
  const auto who = recogniser();
  for (const auto& [signer, algorithm] : {std::pair(&rsa_signer(), "RS256"),
                                          {&rsa_signer(), "PS256"},
                                          {&p256_signer(), "ES256"},
                                          {&p384_signer(), "ES384"}}) {
    for (const bool with_id : {true, false}) {
      const std::string token = signer->sign(algorithm, claims(), with_id);
      EXPECT_FALSE(who->is_brief(bearing(token)));
      const Principal principal = who->recognise(bearing(token)).value();
      EXPECT_EQ(principal.name, "u1");
      EXPECT_EQ(principal.roles, (std::vector<std::string>{"reader", "editor"}));
      EXPECT_TRUE(principal.project.empty());
      EXPECT_TRUE(who->is_brief(bearing(token)));
    }
  }
}

TEST_F(Jwts, OfOtherAlgorithmsAreRefused) {
  const auto who = recogniser();
  for (const char* algorithm : {"RS384", "RS512", "PS384", "PS512"})
    EXPECT_EQ(status_of(*who, bearing(rsa_signer().sign(algorithm, claims()))), 401);
  const std::string body = url_base64(claims());
  for (const char* header :
       {R"({"alg":"none"})", R"({"alg":"None"})", R"({"alg":""})", R"({})", R"({"alg":1})",
        R"({"alg":"HS256","kid":"r"})", "[]", "1", "", R"({"alg":"RS256","kid":1})", R"({"alg":"rs256"})"}) {
    EXPECT_EQ(status_of(*who, bearing(url_base64(header) + "." + body + ".")), 401) << header;
    EXPECT_EQ(status_of(*who, bearing(url_base64(header) + "." + body + "." + url_base64(std::string(256, 'x')))), 401)
        << header;
  }
  // The public key is not a shared secret: a set with one has no key that can be used.
  EXPECT_EQ(refused(key_set({TokenSigner::shared_secret("r").json("", true)})), "service.jwks");
}

TEST_F(Jwts, WithKeysOfAnotherTypeAreRefused) {
  // Both keys have the name of the other one.
  const TokenSigner rsa = TokenSigner::rsa("e");
  const auto who = recogniser();
  EXPECT_EQ(status_of(*who, bearing(rsa.sign("RS256", claims()))), 401);
  EXPECT_EQ(status_of(*who, bearing(TokenSigner::rsa("r").sign("RS256", claims()))), 401);
  EXPECT_EQ(status_of(*who, bearing(TokenSigner::curve("f", CJOSE_JWK_EC_P_256).sign("ES256", claims()))), 401);
  EXPECT_EQ(status_of(*who, bearing(TokenSigner::curve("e", CJOSE_JWK_EC_P_384).sign("ES384", claims()))), 401);
}

TEST_F(Jwts, ThatWereChangedAreRefused) {
  const auto who = recogniser();
  for (const std::string& token : {rsa_signer().sign("RS256", claims()), p256_signer().sign("ES256", claims())}) {
    EXPECT_EQ(status_of(*who, bearing(token)), 0);
    const std::size_t first = token.find('.');
    const std::size_t second = token.find('.', first + 1);
    EXPECT_EQ(
        status_of(*who, bearing(token.substr(0, first + 1) + url_base64(claims(R"(,"a":1)")) + token.substr(second))),
        401);
    for (const std::size_t at : {first + 5, second + 5}) {
      std::string changed = token;
      changed[at] = changed[at] == 'A' ? 'B' : 'A';
      EXPECT_EQ(status_of(*who, bearing(changed)), 401);
    }
    for (const std::string& other : {token + "A", token + "=", token.substr(0, token.size() - 4),
                                     "." + token.substr(first + 1), token.substr(0, second + 1)}) {
      EXPECT_EQ(status_of(*who, bearing(other)), 401);
    }
    // Other strings are not tokens, or are for another method.
    EXPECT_FALSE(who->recognise(bearing(token + ".a")).has_value());
    EXPECT_FALSE(who->recognise(bearing(token.substr(0, second))).has_value());
  }
  // `ES256` has 64 bytes, not the other form of signatures; and not zeros.
  const std::string token = p256_signer().sign("ES256", claims());
  const std::string signed_part = token.substr(0, token.rfind('.') + 1);
  EXPECT_EQ(status_of(*who, bearing(signed_part + url_base64(std::string(64, '\0')))), 401);
  EXPECT_EQ(status_of(*who, bearing(signed_part + url_base64(std::string(70, '\x30')))), 401);
}

TEST_F(Jwts, OfOtherIssuersAudiencesAndTimesAreRefused) {
  const auto who = recogniser();
  const std::int64_t now = clocks_.seconds();
  const auto status = [&](const std::string& text) {
    return status_of(*who, bearing(p256_signer().sign("ES256", text)));
  };
  const auto with = [&](std::string_view issuer, std::string_view audience, std::string_view rest) {
    return fmt::format(R"({{"sub":"u","iss":{},"aud":{},{}}})", issuer, audience, rest);
  };
  const std::string valid = fmt::format("\"exp\":{}", now + 100);
  EXPECT_EQ(status(with(R"("https://id")", R"("strata")", valid)), 0);
  EXPECT_EQ(status(with(R"("https://id")", R"(["a","strata"])", valid)), 0);
  EXPECT_EQ(status(with(R"("https://id")", R"("other")", valid)), 0);
  for (const char* issuer : {R"("https://id/")", R"("https://ID")", R"(["https://id"])", "null", R"("")"}) {
    EXPECT_EQ(status(with(issuer, R"("strata")", valid)), 401) << issuer;
  }
  for (const char* audience :
       {R"("strata2")", R"("Strata")", "[]", "null", R"([["strata"]])", R"({"strata":1})", "1"}) {
    EXPECT_EQ(status(with(R"("https://id")", audience, valid)), 401) << audience;
  }
  const auto timed = [&](const std::string& times) { return status(with(R"("https://id")", R"("strata")", times)); };
  EXPECT_EQ(timed(fmt::format("\"exp\":{}", now - 59)), 0);  // Leeway.
  EXPECT_EQ(timed(fmt::format("\"exp\":{}", now - 60)), 401);
  EXPECT_EQ(timed(fmt::format("\"exp\":{}.5", now + 10)), 0);
  EXPECT_EQ(timed(fmt::format("\"exp\":\"{}\"", now + 10)), 401);
  EXPECT_EQ(timed("\"exp\":null"), 401);
  EXPECT_EQ(timed("\"exp\":1e400"), 401);
  EXPECT_EQ(timed("\"exp\":99999999999999999999999"), 401);
  EXPECT_EQ(timed("\"iat\":1"), 401);
  EXPECT_EQ(timed(valid + fmt::format(",\"nbf\":{}", now + 60)), 0);  // Leeway.
  EXPECT_EQ(timed(valid + fmt::format(",\"nbf\":{}", now + 61)), 401);
  EXPECT_EQ(timed(valid + ",\"nbf\":\"1\""), 401);
  EXPECT_EQ(status(fmt::format(R"({{"iss":"https://id","aud":"strata",{}}})", valid)), 401);  // No subject.
  EXPECT_EQ(status(fmt::format(R"({{"iss":"https://id","aud":"strata","sub":"",{}}})", valid)), 401);
  EXPECT_EQ(status("[]"), 401);
  EXPECT_EQ(status("no json"), 401);
  EXPECT_EQ(status(std::string(3000, '[')), 401);
}

TEST_F(Jwts, WithCriticalMembersOrTooManyBytesAreRefused) {
  const auto who = recogniser();
  EXPECT_EQ(status_of(*who, bearing(p256_signer().sign("ES256", claims(), true, "crit", R"(["b64"])"))), 401);
  EXPECT_EQ(status_of(*who, bearing(p256_signer().sign("ES256", claims(), true, "typ", R"("JWT")"))), 0);
  const std::string small = p256_signer().sign("ES256", claims(fmt::format(R"(,"a":"{}")", std::string(5700, 'a'))));
  ASSERT_LE(small.size(), 8192);
  EXPECT_EQ(status_of(*who, bearing(small)), 0);
  const std::string large = p256_signer().sign("ES256", claims(fmt::format(R"(,"a":"{}")", std::string(6000, 'a'))));
  ASSERT_GT(large.size(), 8192);
  EXPECT_EQ(status_of(*who, bearing(large)), 401);
}

TEST_F(Jwts, SayRolesAndProjects) {
  options_.roles_claim = "realm_access.roles";
  options_.project_claim = "team";
  const auto who = recogniser();
  const auto asked = [&](const std::string& more) {
    return who->recognise(bearing(p256_signer().sign("ES256", claims(more)))).value();
  };
  EXPECT_EQ(asked(R"(,"team":"p","realm_access":{"roles":["a",1,"b"]})").roles, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(asked(R"(,"team":"p","realm_access.roles":"x  y")").roles, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(asked(R"(,"team":"p","realm_access":[])").roles.empty());
  EXPECT_EQ(asked(R"(,"team":"p")").project, "p");
  // Without its project it would be one for all.
  for (const char* more : {"", R"(,"team":"")", R"(,"team":["p"])", R"(,"team":null)"}) {
    EXPECT_EQ(status_of(*who, bearing(p256_signer().sign("ES256", claims(more)))), 401) << more;
  }
}

TEST_F(Jwts, AreForgottenWithTheirKeyAndTime) {
  const auto who = recogniser();
  const std::string token = p256_signer().sign("ES256", claims());
  EXPECT_EQ(status_of(*who, bearing(token)), 0);
  write(key_set({rsa_signer().json()}));
  clocks_.turn(std::chrono::seconds(1));
  EXPECT_EQ(status_of(*who, bearing(token)), 401);
  write("no keys");
  clocks_.turn(std::chrono::seconds(1));
  const std::string other = rsa_signer().sign("RS256", claims("", 20));
  EXPECT_EQ(status_of(*who, bearing(other)), 0);
  clocks_.turn(std::chrono::seconds(79));
  EXPECT_EQ(status_of(*who, bearing(other)), 0);  // 59 seconds of leeway.
  clocks_.turn(std::chrono::seconds(1));
  EXPECT_EQ(status_of(*who, bearing(other)), 401);
}

TEST_F(Jwts, NeedKeysThatFit) {
  for (const char* text : {"", "[]", "{}", R"({"keys":{}})", R"({"keys":[]})", R"({"keys":[1,{}]})",
                           R"({"keys":[{"kty":"RSA"}]})", "no json"}) {
    EXPECT_EQ(refused(text), "service.jwks") << text;
  }
  EXPECT_EQ(refused(key_set({TokenSigner::rsa("r", 1024).json()})), "service.jwks");
  EXPECT_EQ(refused(key_set({rsa_signer().json(R"(,"use":"enc")")})), "service.jwks");
  EXPECT_EQ(refused(key_set({rsa_signer().json(R"(,"key_ops":["encrypt"])")})), "service.jwks");
  EXPECT_EQ(refused(key_set({rsa_signer().json(R"(,"alg":"RS512")")})), "service.jwks");
  EXPECT_EQ(refused(key_set({TokenSigner::curve("g", CJOSE_JWK_EC_P_521).json()})), "service.jwks");
  EXPECT_EQ(refused(key_set({rsa_signer().json(R"(,"use":"sig","key_ops":["verify"],"alg":"PS256")")})), "");
  const auto who = recogniser();
  EXPECT_EQ(status_of(*who, bearing(rsa_signer().sign("PS256", claims()))), 0);
  EXPECT_EQ(status_of(*who, bearing(rsa_signer().sign("RS256", claims()))), 401);
  // Private parts that are there by mistake do not matter.
  EXPECT_EQ(refused(key_set({p256_signer().json("", true)})), "");
  EXPECT_EQ(status_of(*recogniser(), bearing(p256_signer().sign("ES256", claims()))), 0);
}

TEST_F(Jwts, NeedOptions) {
  const auto code = [](OidcOptions options) -> std::string {
    try {
      (void)recognise_by_jwt(std::move(options), {}, {});
    } catch (const Error& error) {
      return error.code();
    }
    return "";
  };
  EXPECT_EQ(code({.audiences = {"a"}, .jwks = file_}), "service.auth");
  EXPECT_EQ(code({.issuer = "i", .jwks = file_}), "service.auth");
  EXPECT_EQ(code({.issuer = "i", .audiences = {"a"}}), "service.auth");
  for (const char* url : {"http://id.example.org/keys", "http://127.0.0.1@evil.example/k",
                          "http://localhost.evil.example/k", "ftp://127.0.0.1/k", "file:///k"}) {
    EXPECT_EQ(code({.issuer = "i", .audiences = {"a"}, .jwks = url}), "service.auth") << url;
  }
  EXPECT_EQ(code({.issuer = "i", .audiences = {"a"}, .jwks = "https://id.example.org/keys"}), "");
  EXPECT_EQ(code({.issuer = "i", .audiences = {"a"}, .jwks = "http://[::1]:80/keys"}), "");
  EXPECT_EQ(code({.issuer = "i", .audiences = {"a"}, .jwks = folder_ / "none"}), "tree.unreadable");
}

TEST_F(Jwts, AreCheckedWithKeysOfAUrl) {
  std::string keys = key_set({p256_signer().json()});
  int status = 200;
  std::mutex mutex;
  HttpPeer peer([&](const HttpPeer::Asked&) {
    const std::lock_guard lock(mutex);
    return HttpPeer::Answer{.status = status, .headers = "cache-control: public, max-age=600\r\n", .body = keys};
  });
  const auto answer = [&](int with, std::string text) {
    const std::lock_guard lock(mutex);
    status = with;
    keys = std::move(text);
  };
  options_.jwks = peer.url() + "/keys";
  const auto who = recogniser();
  EXPECT_EQ(peer.asked(), 0);
  const std::string token = p256_signer().sign("ES256", claims("", 100'000));
  EXPECT_EQ(status_of(*who, bearing(token)), 0);
  EXPECT_EQ(status_of(*who, bearing(p256_signer().sign("ES256", claims(R"(,"a":1)")))), 0);
  EXPECT_EQ(peer.asked(), 1);
  // A key that is not known: asked for at most once a minute.
  const std::string other = p384_signer().sign("ES384", claims("", 100'000));
  answer(200, key_set({p384_signer().json(), p256_signer().json()}));
  EXPECT_EQ(status_of(*who, bearing(other)), 401);
  EXPECT_EQ(peer.asked(), 1);
  clocks_.turn(std::chrono::seconds(60));
  EXPECT_EQ(status_of(*who, bearing(other)), 0);
  EXPECT_EQ(peer.asked(), 2);
  EXPECT_EQ(status_of(*who, bearing(TokenSigner::curve("x", CJOSE_JWK_EC_P_256).sign("ES256", claims()))), 401);
  EXPECT_EQ(peer.asked(), 2);
  // After what the answer says; while it does not answer, the last good keys count.
  answer(500, "");
  clocks_.turn(std::chrono::seconds(599));
  EXPECT_EQ(status_of(*who, bearing(other)), 0);
  EXPECT_EQ(peer.asked(), 2);
  clocks_.turn(std::chrono::seconds(1));
  EXPECT_FALSE(who->is_brief(bearing(other)));
  EXPECT_EQ(status_of(*who, bearing(other)), 0);
  EXPECT_EQ(peer.asked(), 3);
  EXPECT_EQ(status_of(*who, bearing(other)), 0);
  EXPECT_EQ(peer.asked(), 3);
  clocks_.turn(std::chrono::seconds(60));
  answer(200, "nonsense");
  EXPECT_EQ(status_of(*who, bearing(other)), 0);
  EXPECT_EQ(peer.asked(), 4);
  clocks_.turn(std::chrono::seconds(60));
  answer(200, key_set({p256_signer().json()}));
  EXPECT_EQ(status_of(*who, bearing(other)), 401);
  EXPECT_EQ(peer.asked(), 5);
}

TEST_F(Jwts, CannotBeJudgedWithoutKeys) {
  options_.jwks = "http://127.0.0.1:1/keys";
  const auto who = recogniser();
  EXPECT_EQ(status_of(*who, bearing(p256_signer().sign("ES256", claims()))), 503);
  EXPECT_EQ(status_of(*who, bearing(p256_signer().sign("ES256", claims()))), 503);
}

TEST(KeySources, KeepAnswersAsTheySay) {
  using std::chrono::seconds;
  EXPECT_EQ(kept_for(""), seconds(3600));
  EXPECT_EQ(kept_for("public, max-age=1200"), seconds(1200));
  EXPECT_EQ(kept_for("Max-Age=1200 , public"), seconds(1200));
  EXPECT_EQ(kept_for("max-age=1"), seconds(300));
  EXPECT_EQ(kept_for("max-age=-5"), seconds(300));
  EXPECT_EQ(kept_for("max-age=999999"), seconds(86'400));
  EXPECT_EQ(kept_for("max-age=99999999999999999999"), seconds(86'400));
  EXPECT_EQ(kept_for("max-age=1200, no-store"), seconds(300));
  EXPECT_EQ(kept_for("max-age=12x"), seconds(3600));
}

}  // namespace
}  // namespace strata::service
