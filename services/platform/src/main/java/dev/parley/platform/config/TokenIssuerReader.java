package dev.parley.platform.config;

import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.Capability;
import dev.parley.platform.config.ConfigFile.OpensSection;
import dev.parley.platform.config.ConfigFile.TokenIssuerSection;
import dev.parley.platform.config.TokenIssuerConfig.Opens;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the token issuers. Each must name its audience, so that tokens for other applications are rejected. */
final class TokenIssuerReader {
    /** Asymmetric signatures: with a shared secret each verifier could create tokens. */
    private static final Set<String> SIGNATURES =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA");

    private static final List<String> TYPES = List.of("at+jwt", "jwt");
    private static final Pattern CLAIM = Pattern.compile("[!-~]{1,200}");
    private static final Duration MAX_SKEW = Duration.ofMinutes(5);
    private static final int MOST = 1_000;

    private TokenIssuerReader() {}

    static List<TokenIssuerConfig> issuers(
            @Nullable List<TokenIssuerSection> sections, List<IdentityProviderConfig> providers) {
        var read = new ArrayList<TokenIssuerConfig>();
        var names = new HashSet<String>();
        List<TokenIssuerSection> written = sections == null ? List.of() : sections;
        for (int i = 0; i < written.size(); i++) {
            String at = "signIn.issuers[" + i + "]";
            TokenIssuerConfig one = issuer(at, written.get(i), providers);
            if (!names.add(one.issuer())) {
                throw new ConfigException(at + ".issuer", "there are two of " + one.issuer());
            }
            read.add(one);
        }
        return read;
    }

    private static TokenIssuerConfig issuer(
            String at, @Nullable TokenIssuerSection section, List<IdentityProviderConfig> providers) {
        if (section == null || section.issuer() == null) {
            throw new ConfigException(at + ".issuer", "is needed, for example https://login.example.com");
        }
        String issuer = section.issuer();
        WebAddress.secureBase(at + ".issuer", issuer);
        @Nullable String provider = provider(at, issuer, section.provider(), providers);
        Map<String, UUID> people = people(at + ".people", section.people());
        if (provider == null && people.isEmpty()) {
            throw new ConfigException(
                    at + ".provider",
                    "is needed: one of signIn.providers, whose accounts its tokens stand for; or people, one by one");
        }
        return new TokenIssuerConfig(
                issuer,
                audiences(at + ".audience", section.audience()),
                provider,
                section.jwks() == null ? null : jwks(at + ".jwks", section.jwks()),
                algorithms(at + ".algorithms", section.algorithms()),
                types(at + ".types", section.types()),
                skew(at + ".clockSkew", section.clockSkew()),
                claim(at + ".personClaim", section.personClaim() == null ? "sub" : section.personClaim()),
                people,
                opens(at + ".opens", section.opens()));
    }

    /** The named provider; by default the one with the same issuer, if there is one. */
    private static @Nullable String provider(
            String at, String issuer, @Nullable String name, List<IdentityProviderConfig> providers) {
        if (name == null) {
            return providers.stream()
                    .filter(one -> one instanceof IdentityProviderConfig.OpenId openId
                            && openId.issuer().equals(issuer))
                    .map(IdentityProviderConfig::name)
                    .findFirst()
                    .orElse(null);
        }
        if (providers.stream().noneMatch(one -> one.name().equals(name))) {
            throw new ConfigException(at + ".provider", "there is no '" + name + "' in signIn.providers");
        }
        return name;
    }

    private static Set<String> audiences(String at, @Nullable List<String> written) {
        if (written == null || written.isEmpty() || written.stream().anyMatch(one -> one == null || one.isBlank())) {
            throw new ConfigException(
                    at, "is needed: what its tokens name in aud where they are meant for this installation");
        }
        return new LinkedHashSet<>(written);
    }

    private static URI jwks(String at, String text) {
        WebAddress.secureBase(at, text.replaceAll("\\?.*", ""));
        URI url = WebAddress.parsed(text);
        if (url == null) {
            throw new ConfigException(at, "is a URL such as https://login.example.com/keys");
        }
        return url;
    }

    private static Set<String> algorithms(String at, @Nullable List<String> written) {
        if (written == null) {
            return SIGNATURES;
        }
        if (written.isEmpty() || !SIGNATURES.containsAll(nonNull(at, written))) {
            throw new ConfigException(
                    at, "has some of " + String.join(", ", new TreeSet<>(SIGNATURES)) + "; no others prove anything");
        }
        return new LinkedHashSet<>(written);
    }

    private static Set<String> types(String at, @Nullable List<String> written) {
        List<String> all = written == null ? TYPES : nonNull(at, written);
        if (all.isEmpty()) {
            throw new ConfigException(at, "has at least one, such as at+jwt");
        }
        var types = new LinkedHashSet<String>();
        all.forEach(one -> types.add(one.toLowerCase(Locale.ROOT).replaceAll("^application/", "")));
        return types;
    }

    private static <T> Collection<T> checked(String at, Collection<T> all) {
        if (all.size() > MOST) {
            throw new ConfigException(at, "has at most " + MOST + " entries");
        }
        return all;
    }

    private static List<String> nonNull(String at, List<String> written) {
        if (written.stream().anyMatch(one -> one == null)) {
            throw new ConfigException(at, "has an empty entry");
        }
        return written;
    }

    private static Duration skew(String at, @Nullable String written) {
        Duration skew = ConfigReader.duration(at, written == null ? "60s" : written);
        if (skew.compareTo(MAX_SKEW) > 0) {
            throw new ConfigException(at, "is at most " + MAX_SKEW.toMinutes() + "m");
        }
        return skew;
    }

    private static String claim(String at, @Nullable String name) {
        if (name == null || !CLAIM.matcher(name).matches()) {
            throw new ConfigException(at, "is the name of a claim, such as sub, scope or realm_access.roles");
        }
        return name;
    }

    private static Map<String, UUID> people(String at, @Nullable Map<String, String> written) {
        var people = new LinkedHashMap<String, UUID>();
        Map<String, String> all = written == null ? Map.of() : written;
        checked(at, all.keySet());
        all.forEach((subject, id) -> {
            try {
                people.put(subject, UUID.fromString(String.valueOf(id)));
            } catch (IllegalArgumentException e) {
                throw new ConfigException(at + "." + subject, "is the id of somebody, as GET /v1/users has it");
            }
        });
        return people;
    }

    private static @Nullable Opens opens(String at, @Nullable OpensSection section) {
        if (section == null) {
            return null;
        }
        Map<String, List<String>> values = section.values() == null ? Map.of() : section.values();
        checked(at + ".values", values.keySet());
        values.forEach((value, codes) -> {
            boolean known = codes != null
                    && codes.stream()
                            .allMatch(code -> code != null
                                    && (code.equals(AccessKey.ALL)
                                            || Capability.of(code).isPresent()));
            if (!known) {
                throw new ConfigException(
                        at + ".values." + value, "has names of capabilities such as session.read, or \"*\" for all");
            }
        });
        return new Opens(claim(at + ".claim", section.claim()), values);
    }
}
