package dev.parley.platform.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.access.AccessRecord.KeyKind;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The prefix of a token identifies it and reveals nothing of its secret. */
final class BearerTokenTest {
    private static final int MANY = 10_000;

    @Test
    @Tag("I24")
    void keysHaveUniquePrefixesAndSecrets() {
        Set<String> prefixes = new HashSet<>();
        Set<String> texts = new HashSet<>();

        for (int i = 0; i < MANY; i++) {
            BearerToken token = BearerToken.make(KeyKind.API_KEY);
            assertEquals(Optional.of(token.prefix()), BearerToken.prefixOf(token.text()));
            prefixes.add(token.prefix());
            texts.add(token.text().substring(token.prefix().length()));
        }

        assertEquals(MANY, prefixes.size());
        assertEquals(MANY, texts.size(), "nor do their secret parts repeat");
    }

    @Test
    @Tag("I24")
    void prefixesDifferByKind() {
        assertTrue(BearerToken.make(KeyKind.API_KEY).prefix().matches("parley_[0-9A-Za-z]{8}"));
        assertTrue(BearerToken.make(KeyKind.SIGN_IN).prefix().matches("parleys_[0-9A-Za-z]{8}"));
        assertTrue(BearerToken.ofLink().prefix().matches("parleyl_[0-9A-Za-z]{8}"));
    }

    @Test
    @Tag("I23")
    void aTokenDoesNotPrintItsSecret() {
        BearerToken token = BearerToken.make(KeyKind.API_KEY);
        String secret = token.text().substring(token.prefix().length() + 1);

        assertFalse(token.toString().contains(secret));
        assertTrue(token.toString().startsWith(token.prefix()));
    }
}
