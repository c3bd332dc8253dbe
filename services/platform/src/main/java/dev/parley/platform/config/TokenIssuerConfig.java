package dev.parley.platform.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An external issuer whose signed tokens (JWT) the API accepts instead of its own keys.
 *
 * @param issuer in its tokens
 * @param audiences of which a token must name at least one; never empty
 * @param clients ids of clients whose tokens are accepted, as {@code azp} names them
 * @param provider the identity provider whose linked accounts its tokens belong to, or null with {@code people} only
 * @param jwks URL of its keys, or null to discover it
 * @param algorithms accepted signature algorithms, all with public keys
 * @param types accepted values of the header {@code typ}, in lower case without {@code application/}; {@link #NO_TYPE}
 *     for none
 * @param clockSkew maximum difference of the clocks
 * @param personClaim the claim with the id of the person
 * @param people ids of local users by the value of that claim; they take precedence over linked accounts
 * @param opens capabilities of a token, or null for all of its person
 */
public record TokenIssuerConfig(
        String issuer,
        Set<String> audiences,
        Set<String> clients,
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
        clients = Set.copyOf(clients);
        algorithms = Set.copyOf(algorithms);
        types = Set.copyOf(types);
        people = Map.copyOf(people);
    }

    /** The values of {@code azp} that are this installation's. */
    public Set<String> parties() {
        Stream<String> machines = personClaim.equals("azp") ? people.keySet().stream() : Stream.empty();
        return Stream.of(audiences.stream(), clients.stream(), machines)
                .flatMap(names -> names)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Capabilities by the values of a claim.
     *
     * @param claim its name, such as {@code scope} or {@code realm_access.roles}
     * @param values codes of capabilities by value of the claim
     */
    public record Opens(String claim, Map<String, List<String>> values) {
        public Opens {
            values = values.entrySet().stream()
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> List.copyOf(entry.getValue())));
        }
    }
}
