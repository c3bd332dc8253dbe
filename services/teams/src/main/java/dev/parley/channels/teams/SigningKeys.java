package dev.parley.channels.teams;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys with which a service of Microsoft signs. They are fetched again after an hour, and for an unknown key; at
 * most three times a minute, so tokens with invented keys cost little. Known keys are used while the service is away.
 */
final class SigningKeys {
    private static final Logger LOG = LoggerFactory.getLogger(SigningKeys.class);
    private static final Duration FRESH = Duration.ofHours(1);
    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final int FETCHES = 3;
    private static final int MAX_KEYS = 200;
    private static final int MIN_BITS = 2_048;

    private final Source source;
    private final InstantSource clock;
    private final Deque<Instant> fetches = new ArrayDeque<>();
    private volatile Known known = new Known(Map.of(), Instant.MIN);

    /** A JWK set, fetched. */
    interface Source {
        JsonNode fetch() throws TeamsApiException, InterruptedException;
    }

    /** @param endorsements the channels for which it may sign; empty for all keys of Entra ID */
    record Key(RSAPublicKey key, Set<String> endorsements) {}

    private record Known(Map<String, Key> keys, Instant until) {}

    /** @param clock that goes forward evenly */
    SigningKeys(Source source, InstantSource clock) {
        this.source = source;
        this.clock = clock;
    }

    /**
     * The key of this id; empty where the service has none.
     *
     * @throws TeamsApiException where no keys are known, or newer ones cannot be fetched
     */
    Optional<Key> find(String id) throws TeamsApiException, InterruptedException {
        Known current = known;
        Key found = current.keys().get(id);
        return found != null && clock.instant().isBefore(current.until())
                ? Optional.of(found)
                : Optional.ofNullable(refreshed(current).get(id));
    }

    /** The keys after a fetch, if one is due: one thread fetches for all. */
    private synchronized Map<String, Key> refreshed(Known seen) throws TeamsApiException, InterruptedException {
        Instant now = clock.instant();
        while (!fetches.isEmpty() && fetches.getFirst().plus(PERIOD).isBefore(now)) {
            fetches.removeFirst();
        }
        if (known != seen || fetches.size() >= FETCHES) {
            return known.keys();
        }
        fetches.addLast(now);
        try {
            known = new Known(keys(source.fetch()), now.plus(FRESH));
        } catch (TeamsApiException e) {
            if (known.keys().isEmpty()) {
                throw e;
            }
            LOG.atWarn()
                    .addKeyValue("reason", e.getMessage())
                    .log("keys of Microsoft cannot be fetched; known ones stay");
        }
        return known.keys();
    }

    private static Map<String, Key> keys(JsonNode set) {
        var keys = new HashMap<String, Key>();
        for (JsonNode key : set.path("keys")) {
            if (keys.size() < MAX_KEYS && key.path("kty").asText("").equals("RSA")) {
                read(key).ifPresent(read -> keys.put(key.path("kid").asText(""), read));
            }
        }
        return keys;
    }

    private static Optional<Key> read(JsonNode key) {
        var endorsements = new HashSet<String>();
        key.path("endorsements").forEach(endorsement -> endorsements.add(endorsement.asText()));
        try {
            RSAPublicKey read = RSAKey.parse(key.toString()).toRSAPublicKey();
            return read.getModulus().bitLength() < MIN_BITS
                    ? Optional.empty()
                    : Optional.of(new Key(read, endorsements));
        } catch (ParseException | JOSEException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
