package dev.parley.platform.config;

import dev.parley.domain.Ids;
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
        List<TokenIssuerSection> configured = sections == null ? List.of() : sections;
        for (int i = 0; i < configured.size(); i++) {
            String path = "signIn.issuers[" + i + "]";
            TokenIssuerConfig issuer = issuer(path, configured.get(i), providers);
            if (!names.add(issuer.issuer())) {
                throw new ConfigException(path + ".issuer", "there are two of " + issuer.issuer());
            }
            read.add(issuer);
        }
        return read;
    }

    private static TokenIssuerConfig issuer(
            String path, @Nullable TokenIssuerSection section, List<IdentityProviderConfig> providers) {
        if (section == null || section.issuer() == null) {
            throw new ConfigException(path + ".issuer", "is needed, for example https://login.example.com");
        }
        String issuer = section.issuer();
        WebAddress.secureBase(path + ".issuer", issuer);
        @Nullable String provider = provider(path, issuer, section.provider(), providers);
        Map<String, UUID> people = people(path + ".people", section.people());
        requireAccounts(path, provider, people);
        return new TokenIssuerConfig(
                issuer,
                audiences(path + ".audience", section.audience()),
                clients(path + ".clients", section.clients(), provider, providers),
                provider,
                section.jwks() == null ? null : jwks(path + ".jwks", section.jwks()),
                algorithms(path + ".algorithms", section.algorithms()),
                types(path + ".types", section.types()),
                skew(path + ".clockSkew", section.clockSkew()),
                claim(path + ".personClaim", section.personClaim() == null ? "sub" : section.personClaim()),
                people,
                opens(path + ".opens", section.opens()));
    }

    private static void requireAccounts(String path, @Nullable String provider, Map<String, UUID> people) {
        if (provider == null && people.isEmpty()) {
            throw new ConfigException(
                    path + ".provider",
                    "is needed: one of signIn.providers, whose accounts its tokens stand for; or people, one by one");
        }
    }

    /** The named provider; by default the one with the same issuer, if there is one. */
    private static @Nullable String provider(
            String path, String issuer, @Nullable String name, List<IdentityProviderConfig> providers) {
        if (name == null) {
            return providers.stream()
                    .filter(provider -> provider instanceof IdentityProviderConfig.OpenId openId
                            && openId.issuer().equals(issuer))
                    .map(IdentityProviderConfig::name)
                    .findFirst()
                    .orElse(null);
        }
        if (providers.stream().noneMatch(provider -> provider.name().equals(name))) {
            throw new ConfigException(path + ".provider", "there is no '" + name + "' in signIn.providers");
        }
        return name;
    }

    private static Set<String> audiences(String path, @Nullable List<String> audiences) {
        if (audiences == null
                || audiences.isEmpty()
                || audiences.stream().anyMatch(audience -> audience == null || audience.isBlank())) {
            throw new ConfigException(
                    path, "is needed: what its tokens name in aud where they are meant for this installation");
        }
        return new LinkedHashSet<>(audiences);
    }

    /** The configured clients, and that of this installation at the provider. */
    private static Set<String> clients(
            String path,
            @Nullable List<String> configured,
            @Nullable String provider,
            List<IdentityProviderConfig> providers) {
        var clients = new LinkedHashSet<String>();
        if (configured != null) {
            clients.addAll(checkSize(path, nonNull(path, configured)));
        }
        providers.stream()
                .filter(one -> one.name().equals(provider))
                .map(IdentityProviderConfig::clientId)
                .forEach(clients::add);
        return clients;
    }

    private static URI jwks(String path, String text) {
        WebAddress.secureBase(path, text.replaceAll("\\?.*", ""));
        URI url = WebAddress.parseOrNull(text);
        if (url == null) {
            throw new ConfigException(path, "is a URL such as https://login.example.com/keys");
        }
        return url;
    }

    private static Set<String> algorithms(String path, @Nullable List<String> names) {
        if (names == null) {
            return SIGNATURES;
        }
        if (names.isEmpty() || !SIGNATURES.containsAll(nonNull(path, names))) {
            throw new ConfigException(
                    path, "has some of " + String.join(", ", new TreeSet<>(SIGNATURES)) + "; others are not supported");
        }
        return new LinkedHashSet<>(names);
    }

    private static Set<String> types(String path, @Nullable List<String> configured) {
        List<String> names = configured == null ? TYPES : nonNull(path, configured);
        if (names.isEmpty()) {
            throw new ConfigException(path, "has at least one, such as at+jwt");
        }
        var types = new LinkedHashSet<String>();
        names.forEach(name -> types.add(name.toLowerCase(Locale.ROOT).replaceAll("^application/", "")));
        return types;
    }

    private static <T> Collection<T> checkSize(String path, Collection<T> entries) {
        if (entries.size() > MOST) {
            throw new ConfigException(path, "has at most " + MOST + " entries");
        }
        return entries;
    }

    private static List<String> nonNull(String path, List<String> entries) {
        if (entries.stream().anyMatch(entry -> entry == null)) {
            throw new ConfigException(path, "has an empty entry");
        }
        return entries;
    }

    private static Duration skew(String path, @Nullable String text) {
        Duration skew = ConfigReader.duration(path, text == null ? "60s" : text);
        if (skew.compareTo(MAX_SKEW) > 0) {
            throw new ConfigException(path, "is at most " + MAX_SKEW.toMinutes() + "m");
        }
        return skew;
    }

    private static String claim(String path, @Nullable String name) {
        if (name == null || !CLAIM.matcher(name).matches()) {
            throw new ConfigException(path, "is the name of a claim, such as sub, scope or realm_access.roles");
        }
        return name;
    }

    private static Map<String, UUID> people(String path, @Nullable Map<String, String> configured) {
        var people = new LinkedHashMap<String, UUID>();
        Map<String, String> entries = configured == null ? Map.of() : configured;
        checkSize(path, entries.keySet());
        entries.forEach((subject, id) -> {
            try {
                people.put(subject, Ids.parse(String.valueOf(id).toLowerCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw new ConfigException(path + "." + subject, "is the id of a user, as in GET /v1/users");
            }
        });
        return people;
    }

    private static @Nullable Opens opens(String path, @Nullable OpensSection section) {
        if (section == null) {
            return null;
        }
        Map<String, List<String>> values = section.values() == null ? Map.of() : section.values();
        checkSize(path + ".values", values.keySet());
        values.forEach((value, codes) -> {
            boolean valid = codes != null
                    && codes.stream()
                            .allMatch(code -> code != null
                                    && (code.equals(AccessKey.ALL)
                                            || Capability.of(code).isPresent()));
            if (!valid) {
                throw new ConfigException(
                        path + ".values." + value, "has names of capabilities such as session.read, or \"*\" for all");
            }
        });
        return new Opens(claim(path + ".claim", section.claim()), values);
    }
}
