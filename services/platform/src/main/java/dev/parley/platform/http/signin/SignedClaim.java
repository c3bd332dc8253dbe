package dev.parley.platform.http.signin;

import dev.parley.platform.access.BearerToken;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Callers;
import dev.parley.platform.sealing.MessageMacs;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * A signed text that represents a key without containing it. It names the key, itself and its own expiry, is valid
 * while both are, and can be verified by any instance.
 *
 * @param macs claims of one purpose are invalid for others
 */
record SignedClaim(MessageMacs macs, Callers callers, Clock clock) {
    private static final int MAX_LENGTH = 4_000;
    private static final int PARTS = 3;

    /**
     * A valid claim.
     *
     * @param id no other claim has it
     */
    record Valid(String id, Instant end, Caller caller) {}

    /**
     * Issues a claim for a caller.
     *
     * @param end in whole seconds
     */
    String issue(Caller caller, Instant end) {
        String claim = end.getEpochSecond() + "\n" + BearerToken.random() + "\n" + callers.nameOf(caller.key());
        byte[] bytes = claim.getBytes(StandardCharsets.UTF_8);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + "." + macs.sign(bytes);
    }

    /** The content of a claim; empty if it is forged, damaged or expired, or its key is no longer valid. */
    Optional<Valid> check(String text) {
        int dot = text.indexOf('.');
        if (dot < 0 || text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        try {
            byte[] claim = Base64.getUrlDecoder().decode(text.substring(0, dot));
            return macs.verifies(text.substring(dot + 1), claim)
                    ? read(new String(claim, StandardCharsets.UTF_8).split("\n", PARTS))
                    : Optional.empty();
        } catch (IllegalArgumentException | DateTimeException e) {
            return Optional.empty();
        }
    }

    private Optional<Valid> read(String[] parts) {
        Instant end = Instant.ofEpochSecond(Long.parseLong(parts[0]));
        return parts.length == PARTS && clock.instant().isBefore(end)
                ? callers.findByName(parts[2]).map(caller -> new Valid(parts[1], end, caller))
                : Optional.empty();
    }
}
