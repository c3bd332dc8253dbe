package dev.parley.platform.sealing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.sealing.Sealing.NotOpenedException;
import dev.parley.platform.sealing.Sealing.Sealed;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SealingTest {
    private static final String SECRET = "sk-sentinel-0123456789";
    private static final String OLD = key(1);
    private static final String NEW = key(2);
    private static final UUID HOST = UUID.randomUUID();
    private static final UUID ROW = UUID.randomUUID();

    private final Sealing sealing = new Sealing(MasterKeys.parse(OLD));

    private static String key(int fill) {
        var bytes = new byte[MasterKeys.LENGTH];
        Arrays.fill(bytes, (byte) fill);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static void assertNotOpened(Sealing sealing, Sealed sealed, UUID host, UUID row) {
        var failure =
                assertThrows(NotOpenedException.class, () -> sealing.open(sealed.bytes(), sealed.key(), host, row));
        assertFalse(String.valueOf(failure.getMessage()).contains("sentinel"));
    }

    @Test
    @Tag("I30")
    void sealedSecretOpensInItsRow() throws NotOpenedException {
        // When
        Sealed sealed = sealing.seal(SECRET, HOST, ROW);

        // Then
        assertEquals(SECRET, sealing.open(sealed.bytes(), sealed.key(), HOST, ROW));
        assertFalse(new String(sealed.bytes(), StandardCharsets.ISO_8859_1).contains("sentinel"));
        assertFalse(
                Arrays.equals(sealed.bytes(), sealing.seal(SECRET, HOST, ROW).bytes()), "it looks like no other");
    }

    @Test
    @Tag("I30")
    void sealedSecretDoesNotOpenInAnotherRow() {
        Sealed sealed = sealing.seal(SECRET, HOST, ROW);

        assertNotOpened(sealing, sealed, HOST, UUID.randomUUID());
        assertNotOpened(sealing, sealed, UUID.randomUUID(), ROW);
    }

    @Test
    void failureKeepsItsCause() {
        Sealed sealed = sealing.seal(SECRET, HOST, ROW);

        var failure = assertThrows(
                NotOpenedException.class, () -> sealing.open(sealed.bytes(), sealed.key(), HOST, UUID.randomUUID()));

        assertEquals("it is damaged, or was sealed for something else", failure.getMessage());
        assertInstanceOf(GeneralSecurityException.class, failure.getCause());
        assertFalse(failure.getCause().toString().contains("sentinel"));
    }

    @Test
    @Tag("I30")
    void rejectsBytesWithAFlippedBit() {
        // Given
        Sealed sealed = sealing.seal(SECRET, HOST, ROW);

        for (int i = 0; i < sealed.bytes().length; i++) {
            // When
            byte[] damaged = sealed.bytes().clone();
            damaged[i] ^= 1;

            // Then
            assertNotOpened(sealing, new Sealed(damaged, sealed.key()), HOST, ROW);
        }
        assertNotOpened(sealing, new Sealed(new byte[0], sealed.key()), HOST, ROW);
    }

    @Test
    @Tag("I34")
    void wrongKeyFailsAndNamesTheRightOne() {
        // Given
        Sealed sealed = sealing.seal(SECRET, HOST, ROW);
        var other = new Sealing(MasterKeys.parse(NEW));

        // When
        var failure = assertThrows(NotOpenedException.class, () -> other.open(sealed.bytes(), sealed.key(), HOST, ROW));

        // Then
        assertTrue(String.valueOf(failure.getMessage()).contains(Long.toString(sealing.first())));
        assertNotOpened(other, new Sealed(sealed.bytes(), other.first()), HOST, ROW);
    }

    @Test
    @Tag("I34")
    void rotationOpensWithOldKeysAndSealsWithTheFirst() throws NotOpenedException {
        // Given
        Sealed old = sealing.seal(SECRET, HOST, ROW);
        var both = new Sealing(MasterKeys.parse(NEW + " , " + OLD));

        // When
        Sealed renewed = both.seal(both.open(old.bytes(), old.key(), HOST, ROW), HOST, ROW);

        // Then
        assertNotEquals(old.key(), renewed.key());
        assertEquals(both.first(), renewed.key());
        var alone = new Sealing(MasterKeys.parse(NEW));
        assertEquals(SECRET, alone.open(renewed.bytes(), renewed.key(), HOST, ROW));
        assertNotOpened(alone, old, HOST, ROW);
    }

    @Test
    void acceptsBothBase64Alphabets() {
        byte[] bytes = new byte[MasterKeys.LENGTH];
        Arrays.fill(bytes, (byte) 0xfb);
        String plain = Base64.getEncoder().encodeToString(bytes);
        String url = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);

        assertNotEquals(plain, url);
        assertEquals(MasterKeys.parse(plain).first(), MasterKeys.parse(url).first());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c2VudGluZWw=",
                "sentinel, no base64!",
                "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=,",
                "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=,AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
            })
    void rejectsInvalidKeysWithoutShowingThem(String text) {
        var failure = assertThrows(IllegalArgumentException.class, () -> MasterKeys.parse(text));

        String message = String.valueOf(failure.getMessage());
        assertFalse(message.contains("c2Vu") || message.contains("sentinel") || message.contains("AQEB"), message);
    }

    @Test
    void toStringHidesKeysAndSecrets() {
        assertEquals(
                "MasterKeys[" + sealing.first() + "]", MasterKeys.parse(OLD).toString());
        assertTrue(sealing.seal(SECRET, HOST, ROW).toString().startsWith("Sealed[key="));
    }
}
