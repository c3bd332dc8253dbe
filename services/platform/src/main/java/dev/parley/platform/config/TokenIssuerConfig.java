package dev.parley.platform.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An external issuer whose signed tokens (JWT) the API accepts instead of its own keys.
 *
 * @param issuer as its tokens name it
 * @param audiences of which a token has to name at least one; never empty
 * @param provider the provider of identities whose linked accounts its tokens stand for, or null where only {@code people} are known
 * @param jwks where its keys are, or null where its own description says so
 * @param algorithms names of those signatures that count, all of them with public keys
 * @param types what the header {@code typ} may be, in lower case and without {@code application/}; {@link #NO_TYPE} for none
 * @param clockSkew how far its clock and this one may be apart
 * @param personClaim the claim that says who it is
 * @param people ids of persons here, by what that claim says; these go before linked accounts
 * @param opens which capabilities a token opens, or null where it opens all that its person has
 */
public record TokenIssuerConfig(
        String issuer,
        Set<String> audiences,
        @Nullable String provider,
        @Nullable URI jwks,
        Set<String> algorithms,
        Set<String> types,
        Duration clockSkew,
        String personClaim,
        Map<String, UUID> people,
        @Nullable Opens opens) {
    /** In {@code types}: a token without a type. */
    public static final String NO_TYPE = "missing";

    public TokenIssuerConfig {
        audiences = Set.copyOf(audiences);
        algorithms = Set.copyOf(algorithms);
        types = Set.copyOf(types);
        people = Map.copyOf(people);
    }

    /**
     * What the values of a claim open.
     *
     * @param claim its name, such as {@code scope} or {@code realm_access.roles}
     * @param values codes of capabilities by value of the claim
     */
    public record Opens(String claim, Map<String, List<String>> values) {
        public Opens {
            values = values.entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, one -> List.copyOf(one.getValue())));
        }
    }
}
