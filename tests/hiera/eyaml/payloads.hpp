// SPDX-License-Identifier: Apache-2.0
// Encrypted for certificate.pem unless said otherwise, with `openssl cms -encrypt` unless said otherwise.
#pragma once

#include <string_view>

namespace strata::hiera::eyaml {

/// `geheim`, by `eyaml encrypt`.
inline constexpr std::string_view kGeheim =
    "MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQIBADAFMAACAQEwDQYJKoZIhvcNAQEBBQAEggEAFc9+"
    "mU3ox5hHF0WlsprmYHXkGBTO2EA2Uuuf"
    "pFORTDfsaFIFKpFMC65mL0iv75ynVCU2bbaamiMJxjwoc5HPDe8ObDxmSfOjPQKCsapp0YZL/"
    "+6nWBMCOzJnzlyrAfmIngqk4Hyi59rAHYXOsRhkj+LLVPoS"
    "qCtQ0PlZ6iXCY6RJ+SPyrHT8s7HEL/H+dNuYySFpU89JTcxe7IT6C5JjqDW5GXDhep4lDW3cG9VTAzMj1ZlSIYC2KcOfCSGpSjUeq73li/"
    "hl95eLF9JWMadd"
    "PSD+/"
    "D566TghJ4IlJhUjvCDmEOC1NqT7xDFQ66RyANkKwWr1Y95zXuYpBLqConxf5TA8BgkqhkiG9w0BBwEwHQYJYIZIAWUDBAEqBBBvEbQCe23vL9FOpgq"
    "k"
    "FSbwgBBrpjmczlS/yraRKi3s7ctK";
/// `password: %{role}` and a line feed, by `eyaml encrypt`.
inline constexpr std::string_view kLine =
    "MIIBiQYJKoZIhvcNAQcDoIIBejCCAXYCAQAxggEhMIIBHQIBADAFMAACAQEwDQYJKoZIhvcNAQEBBQAEggEAEqVZWa4SlaUJipt+"
    "gSLbSRpsAiZRyA4MHfwp"
    "XguHhWcbtXPTKIzn7h7mWCj/"
    "B49yFG7bny1mtMpNF7oDRUgE17JCwWHqIWCekNoDXB951Sy6BYTst+Sud3btoNuGakWRs8Nn2OlGP601McVmFKGZAmqEG84A"
    "B22JWNufZGasdib6wIyMui8+GEAZdWJC5Sj19MTefQyDsF2SurzK4wr0pk17QBVQmYUm3bEPuWO3vh/"
    "A9HmdpN1PnWZEv18jFoOjQKekz+sJJVz884qeQ2cv"
    "w8TW3VmcELPE7IUfyfKT/YzC/hh0gbCfhCLAXUL+WR5Y1lvlvSpIeQdi67Yf/"
    "ro0cjBMBgkqhkiG9w0BBwEwHQYJYIZIAWUDBAEqBBD3NnitAdVQHIv9SQ3n"
    "9/y5gCCRQlNpYorjwINQq7UiALehqU3zBmfpST3Hoy/KspxrzA==";
/// `ENC[PKCS7,AAAA]`, by `eyaml encrypt`.
inline constexpr std::string_view kNested =
    "MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQIBADAFMAACAQEwDQYJKoZIhvcNAQEBBQAEggEAGmoFONJ9p5LaDYM0GxDWLOVBetkij3"
    "FlrF6E"
    "Y3pL3p6cQq3dYq6Gh6U6nfXHydwC+qXumvDbOiPxmK8sSdtOUnBStNtZJtQDyyqmKavIIerPZ4V+pRaWqKIT4deR9IPko0S8rETdapJskBoLDFL/"
    "LH2+kgpg"
    "XNo1CE7D4rk4pcGA00oU/"
    "VnMvxqetpswe1oDXc4U56OgYvLVWAD8FO4gr+NvIlpEuJi4gUUjZe3jK+1oETnDGTUa7ty2OT2TAy5TEeH4tTewo555pPuJPVtl"
    "IkFhRX5e/j9l9UAaK/A7qbzIqpT+7JSFZXbo+8kqfcpn32GBva47EVFgm/"
    "bhcJrS6DA8BgkqhkiG9w0BBwEwHQYJYIZIAWUDBAEqBBCQwFv7Hba5zLp7HW7b"
    "owqKgBDbskLZuSOBnS6HwBmXdy5f";
/// Nothing.
inline constexpr std::string_view kEmpty =
    "MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQIBADAFMAACAQEwDQYJKoZIhvcNAQEBBQAEggEAhbTLDP6tg/"
    "xJaXT14CuMD6fwA3RUgoPL++mZ"
    "4a02FV1KDTIMoN/"
    "tdpFkJfmf4nsLxFSDGX08wiuTa5ICustOxcVE+lo3fj4LURTwBf61oc9jjgJwDEHXoUOVfJwdf4DOySGyZ+ok0Vmkq+hZ457UUMvHvkYc"
    "MXOP0VAb/NFTDbtfue6otSbNjwsxZe8H+SI9w2a4IIXxhqRQYSUW+YzriAtW5qS8XW5WCxgm35r/w7mDvF3fYiSGYNxTOV++KJeVN/"
    "LvvHjlxzQkzfFg1jsc"
    "2Khx680sRTEu1hgN6uZlEOYyrimKE1M5iggWVb8JVCKJVcg8AiN2yQnr3Jg0t5uc0DA8BgkqhkiG9w0BBwEwHQYJYIZIAWUDBAEqBBC0QlIeWlgNmb"
    "/p4Lfl"
    "3K0HgBCrjc6Ze4mBokfxT5DpbUml";
/// `three`, with triple DES.
inline constexpr std::string_view kThree =
    "MIIBaAYJKoZIhvcNAQcDoIIBWTCCAVUCAQAxggEhMIIBHQIBADAFMAACAQEwDQYJKoZIhvcNAQEBBQAEggEAUHuqaJynPEbVi98pJzkBSD7CzOtsrq"
    "GjiYPs"
    "WKs+JzXiLR398Bzg321HstrmutvI5qIzkCldHLx0RnacI+fv3EIg/Uxxf/"
    "t3v+OzJxddZfX84o5Q4lYoBRbPbNKkHXmEa3D9WGWU8S+oH+NJtcP0vga1NGRK"
    "AGZhYOsVu9uncpTt9HwV5ZXxk9UXWiQ8xzkYO5JhevvhyBa0/"
    "2PmkUH702iqxVfJanumIId7tEMrWNONx2PLRM5Z2V9teBH6TPjCnk5bgMFiUV3J1b5qEYFZ"
    "QiZ9z+t6HjxS1vrabfjMBli8Usq35hu6IfiXdY6pMGWxzo7G+BnmfQRniP+NRob/"
    "3DArBgkqhkiG9w0BBwEwFAYIKoZIhvcNAwcECAyOeUoYOlXNgAgkSMdl"
    "ItV6vw==";
/// `both`, for other_certificate.pem and certificate.pem, with AES-128.
inline constexpr std::string_view kBoth =
    "MIICKAYJKoZIhvcNAQcDoIICGTCCAhUCAQAxggHQMIGsAgEAMBUwEDEOMAwGA1UEAwwFb3RoZXICAQUwDQYJKoZIhvcNAQEBBQAEgYC8e5OAbl9DmE"
    "STY/0w"
    "tROo6xgrHoxYNUUz5z6bnJ1TQVKs1cUD7YS8m3H5jkWfWKW/"
    "AijkmbyHWbu4fnaYqE72Q0cGsOJ6OawzL48ykR5YXbJYpdGzrBAQ+iQOPbIBCLkN8MOvxuBG"
    "YvgdRZPp0jss4wmG8NqYQcTkJ9be0H5kvTCCAR0CAQAwBTAAAgEBMA0GCSqGSIb3DQEBAQUABIIBAHDC7yEF38eDF5cQ11Z0pmtZw5gaSh2/"
    "2GiPTKhtxd3w"
    "aR3tvSw/75bus0/JJHXNhXi/r+a3rLep+5rGS5WPj8YcUBE65LUN4SLh7nib/0BQj0bpE3ByKgZqa3n6Yex9zg4FbFjW//bDOmyhO+Y3N/"
    "VIyRnlZ+sxEDb3"
    "xmCUQxn7hGY6AC8+HROfPJpuea/KZ32lqYdeMOTOR+vemzzRzvb+QrC+4/"
    "wqXdA1DDwqA21XrGRB6r612RW1Bvx9uvN+IS0rgkGZsn8LOS00Kgu++AUY4bg8"
    "UEtj6VnUlBbLgHHvxZ2UUNFcepcu2uZTmHdzrrLy5Qd7V7UVDSHGXvp5u+"
    "4wPAYJKoZIhvcNAQcBMB0GCWCGSAFlAwQBAgQQX83f8XSwcsr7z7mvILDJ8IAQ"
    "lzSgu6i34lT0quP6YSns8w==";
/// `renewed`, for renewed_certificate.pem.
inline constexpr std::string_view kRenewed =
    "MIIBiwYJKoZIhvcNAQcDoIIBfDCCAXgCAQAxggEzMIIBLwIBADAXMBIxEDAOBgNVBAMMB3JlbmV3ZWQCAU0wDQYJKoZIhvcNAQEBBQAEggEAd6jlid"
    "5UcRgV"
    "EJ1vvm9Uz+SaYe10xclYsGvrVlOQvhCBlw7wDpWC40K0iXptqo0x+R/qPEya6q15UsXqnLI3fVRT6diea4zpBzji//"
    "XtPjADItTtEbnAv5LspifmVudgheEc"
    "gJpHsp2jxBktn6Sj95y0Erit5k4MOICK87U0JUx4YC05/"
    "ks4f7hCIPs3FJD1VPQH99XFfZfc43iPFwsKkvU0SwtxJs1l15b6qLa0MCm2riaGKDjt9KUX+DML"
    "Xk6gHsRyoq/yIk8PefwSueIz3x4pDALQe/oUGG2kHh/+QsSHM5hoHrYb1Z0NCQbD4Uk/Tnm4bY/"
    "AaWuhgWj4XLQqsDA8BgkqhkiG9w0BBwEwHQYJYIZIAWUD"
    "BAEqBBC8JRJ9fAqX/ZEcsQvsWu5TgBDoIMaBwj5IFeqQh/oCQ4nK";
/// Two bytes that are not UTF-8.
inline constexpr std::string_view kBytes =
    "MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQIBADAFMAACAQEwDQYJKoZIhvcNAQEBBQAEggEARA2slGdl44i9UIkUryFWl3P3hHau9p"
    "fweKEe"
    "To1LVOyweQQzVG+6QV+38FAcFu41AfZ0Jrjila94okavT+NRAzzWWNAjp/+63NKC4b7zKGl/"
    "fLt8RIU99QL3xdINB3MZUz0Ngwg3GIVBDyWY5SomdXXqxBtF"
    "o8viXLAAxEC+jbcByABWeGuYkGxNn0NzFUxN6x5EH33ro/OGi8NmOHK8bnc0vntpELkEawPFHAvsNmEI2LUfsVGAet/iMsULL04Z/"
    "GA5ljeUip5nLM78QDv+"
    "O7BTdEZEKQRlK+"
    "cBI2ezjJqB85mv2i66fxXvyMEXtyOHXLVzib0wDFc2FHkX0q0MTzA8BgkqhkiG9w0BBwEwHQYJYIZIAWUDBAEqBBBfOm1ltjTMg45LUj7I"
    "i8EggBDJUMdsoLvQfYkIAzWKdV2L";
/// `gcm`, with AES-256-GCM (AuthEnvelopedData).
inline constexpr std::string_view kGcm =
    "MIIBgQYLKoZIhvcNAQkQARegggFwMIIBbAIBADGCASEwggEdAgEAMAUwAAIBATANBgkqhkiG9w0BAQEFAASCAQBCLB5953MHoqim5ZUY9VTuLzwIcm"
    "XZDwNj"
    "bkIBSmv3R1TbfseOYzQwNTtdfpKFLvads6MKr3zNjiMZS9cBOTFaGAT1UIqWLPQn3jgCeYuljfQoQOt2ZiIu8V8l8kZJ8SHdN+"
    "jA3Tf2kJKV4yA337gk0sqW"
    "h3oCADdUYJ+ivdE3/"
    "O2exjIfoVHTXIkvO3m4vSfQ+F177LhVsXUjELXmztd85bdnP3Si0DYwi4WjAg6tZqrB15FRJwaOkpicqWW1QNSxp4F6qpgbysDz8n0R"
    "+Bn34A8YmdQscKBmiONdNxpSeu++"
    "r0HyxyML5qTfuyjwL9BbYyGuMxGsgkRRRwSfmDMVMDAGCSqGSIb3DQEHATAeBglghkgBZQMEAS4wEQQM6TOFW9XF0gtw"
    "SLlBAgEQgAOrbcAEEClgguJbtIAaDpwg8eCvvnQ=";
/// `oaep`, the key packed with OAEP.
inline constexpr std::string_view kOaep =
    "MIIBeQYJKoZIhvcNAQcDoIIBajCCAWYCAQAxggEhMIIBHQIBADAFMAACAQEwDQYJKoZIhvcNAQEHMAAEggEAYMG6erSEAoQJly1ncekdBPBQMeRWx1"
    "WBDUTP"
    "urRNfdiVgjJ4Rm1/jBXnx+ZodhFe9PJUIFRP6uesu4uvHY3pmMWX0WAdsXbqpU+u/7GgEUsP0G24iEHPR4jOr5ldLKm0n54aX/"
    "ctbLeMhbsH+IYG+l8C2bCT"
    "tX1Le3mpecFD4BtkIvsb0y3qIy+eDMhDqPuclwcZ0z6/iPBd+SYQ/"
    "tBz7oIr9YbpYz7C2ofGho0FjPY6muNAUqlpGUMixIW1vIMnF+2J2ovt0D8iBogn0gYA"
    "/b/NOYPQ3fifm8qp/"
    "IKNfZINIFhhHkv6uBhU+iV6LuuIGpR40MRdCZ4PD2cbNZ2LnzA8BgkqhkiG9w0BBwEwHQYJYIZIAWUDBAEqBBA9f43BaO8NxjsQUOjS"
    "Rf7EgBAuvOHnLZGhJLZGJjnwqzr2";
/// A signed message, not an encrypted one.
inline constexpr std::string_view kSigned =
    "MIIFMQYJKoZIhvcNAQcCoIIFIjCCBR4CAQExDTALBglghkgBZQMEAgEwEAYJKoZIhvcNAQcBoAMEAXigggLdMIIC2TCCAcGgAwIBAgIBATANBgkqhk"
    "iG9w0B"
    "AQsFADAAMCAXDTI2MTEyMTE2NTQxMloYDzIwNzYxMTA4MTY1NDEyWjAAMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkP+"
    "AoG0HeWolE84VuxOP"
    "7HS3OnYxMpXJ8yWy7FbyJm+Uj/onABpjjM+UFSz8jVD7QWfX63DVlwQxVDp3hZ7agBF1G/fLJ8f/"
    "vCrEkipBbRIn7Rj+uUDGSf4zuBilwLCqFAdya9TU8/sy"
    "16OYlErjlNyWWTDLpzjUT9xNlShb3cu9CRrSN91LRmNZN5VyfZ0GozUiNKlQwYdUeRkNZjPtJOONMrTPRvpNmOYnM0UyBaEJRDWl016D3Fl/"
    "dz3022+xOqZM"
    "vfQsfaYRpTbyinHYa8d07j1bqfJRCX1BeE+UWrNS0XU+JgU55jyeNaoJdubM3ui070Llyk1/"
    "N9+fPAWBiwIDAQABo1wwWjAPBgNVHRMBAf8EBTADAQH/MB0G"
    "A1UdDgQWBBQyjbgJ3rOG9V/OSjYI2P3MRskv2jAoBgNVHSMEITAfgBQyjbgJ3rOG9V/"
    "OSjYI2P3MRskv2qEEpAIwAIIBATANBgkqhkiG9w0BAQsFAAOCAQEA"
    "Wtr256L/"
    "jKr4bSgmwaGyaBBem4+8nvaf5pujUgJRc4W8RpeEBd0ZyNpgDJJke8y3RODyi7VgkIFNmz6Nay4PgphP7jdlsg1eW6V0g9ly2JXup2btop6nO4DU"
    "Vld7nc44dallOo84GFtsVZLnnmN7iiZZnjH2M4WZesuwBfXg7vC0275uSu0NDSpYyEQu2sGWmcW9948fmZV924gnbxf09sZ7zuEZ1ayKyoN2bfUcIv"
    "ojcaKr"
    "3Ple+3Wo2mbzsaB+l8OVISp/"
    "DoZZClZz6P8428obH1wqjDoOudWhqyT9ywsU8QShktaBzTjc3vrAhhbnR7+vGcEXPIlG7SVRrf5SqzGCAhUwggIRAgEBMAUw"
    "AAIBATALBglghkgBZQMEAgGggeQwGAYJKoZIhvcNAQkDMQsGCSqGSIb3DQEHATAcBgkqhkiG9w0BCQUxDxcNMjYxMTIxMTY1OTQ0WjAvBgkqhkiG9w"
    "0BCQQx"
    "IgQgLXEWQrcmsEQBYnyp+"
    "6wy9chTD7GQPMTbAiWHF5IaSIEweQYJKoZIhvcNAQkPMWwwajALBglghkgBZQMEASowCwYJYIZIAWUDBAEWMAsGCWCGSAFlAwQB"
    "AjAKBggqhkiG9w0DBzAOBggqhkiG9w0DAgICAIAwDQYIKoZIhvcNAwICAUAwBwYFKw4DAgcwDQYIKoZIhvcNAwICASgwDQYJKoZIhvcNAQEBBQAEgg"
    "EAU4Sn"
    "joaz11FrM2zpF5YTjge1eN9xw588JymeZfh6fSVKrXk15ptAcJ16/l9EHkNbZQBBsUZWFVcyaSe6tzgDp5VtAQSwG7T78ck3s8hPEA/"
    "7SbVopSQCsStLFRGi"
    "8BhhlSeWXr7oICLgpQlYoF5+r0UjVwUwl4a58w/BdDhai3rcFonHYBjYqF5B+sCftacJwNEethFDIaTzt63qqGhyaF1qVUtfOVR0m/"
    "HCJN5vmsn0Dwef+LsO"
    "MD35QH0coPRWPdnE8YAZCvxghZlS7jm+IDJAm+Y2+RMZlbTRl1xpKg92zL/0y37nC2+FY5HUXIMgdOQTQZxcrZV+A91f11DIdg==";
/// Encrypted with a shared key.
inline constexpr std::string_view kShared =
    "MIGXBgkqhkiG9w0BBwOggYkwgYYCAQIxQ6JBAgEEMAUEA8D+"
    "4DALBglghkgBZQMEAQUEKJcxPUWdO6JGkHzkVpQ3nIkuMmc6bgbOi4dPgD16eJrbKdsnQakC"
    "hdUwPAYJKoZIhvcNAQcBMB0GCWCGSAFlAwQBKgQQ6I/5DC4nHIqqtzxU7/fA/4AQjkFJWnaAynP3L1yphNK5mQ==";

}  // namespace strata::hiera::eyaml
