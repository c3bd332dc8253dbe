package dev.parley.platform.sealing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.sealing.InstallationKey.Purpose;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstallationKeyTest {
    private static final String OLD = key(1);
    private static final String NEW = key(2);
    private static final byte[] MESSAGE = "the rights of a person".getBytes(UTF_8);

    @Test
    void verifiesWhatItSigns() {
        var macs = InstallationKey.parse(NEW).macs(Purpose.RECORDS);

        String mac = macs.sign(MESSAGE);

        assertTrue(macs.verifies(mac, MESSAGE), mac);
        assertTrue(mac.matches("[0-9a-f]{8}\\.[A-Za-z0-9_-]{43}"), mac);
        assertEquals(mac, InstallationKey.parse(NEW).macs(Purpose.RECORDS).sign(MESSAGE), "in every process");
    }

    @Test
    void derivesByHkdfOfRfc5869() {
        // The expected bytes are of Python's hmac: extract with 32 zeros as salt, expand with the label.
        assertEquals(
                "42b3a5d6.-2NoYkfp4lbG1kO398mZfV2JCakSnAbL1xLl7J4yiU8",
                InstallationKey.parse(OLD).macs(Purpose.RECORDS).sign(MESSAGE));
    }

    @ParameterizedTest
    @EnumSource(Purpose.class)
    void refusesTheMacsOfOtherPurposes(Purpose purpose) {
        var key = InstallationKey.parse(NEW);
        String mac = key.macs(purpose).sign(MESSAGE);

        for (Purpose other : Purpose.values()) {
            assertEquals(other == purpose, key.macs(other).verifies(mac, MESSAGE), other + " of " + purpose);
        }
    }

    @Test
    @Tag("B64")
    void rotates() {
        var old = InstallationKey.parse(OLD).macs(Purpose.RECORDS);
        var both = InstallationKey.parse(NEW + "," + OLD).macs(Purpose.RECORDS);
        var fresh = InstallationKey.parse(NEW).macs(Purpose.RECORDS);

        assertTrue(both.verifies(old.sign(MESSAGE), MESSAGE), "what the old key signed");
        assertTrue(fresh.verifies(both.sign(MESSAGE), MESSAGE), "the new key signs");
        assertFalse(fresh.verifies(old.sign(MESSAGE), MESSAGE), "the old key is gone");
        assertFalse(both.isCurrent(old.sign(MESSAGE)));
        assertTrue(both.isCurrent(both.sign(MESSAGE)));
    }

    @Test
    void tellsPartsApart() {
        var macs = InstallationKey.parse(NEW).macs(Purpose.RECORDS);
        byte[] none = {};
        byte[] a = {1};
        byte[] b = {2};
        byte[] both = {1, 2};
        byte[][][] messages = {{}, {null}, {none}, {a, b}, {both}, {both, none}, {none, both}, {both, null}, {b, a}};

        var macsOfAll = new HashSet<String>();
        Arrays.stream(messages).forEach(parts -> macsOfAll.add(macs.sign(parts)));

        assertEquals(messages.length, macsOfAll.size());
    }

    @Test
    void refusesEveryChange() {
        var macs = InstallationKey.parse(NEW).macs(Purpose.RECORDS);
        String mac = macs.sign(MESSAGE);
        var random = new Random(42);
        for (int i = 0; i < 1_000; i++) {
            byte[] message = MESSAGE.clone();
            message[random.nextInt(message.length)] ^= (byte) (1 << random.nextInt(8));
            assertFalse(macs.verifies(mac, message));

            var changed = new StringBuilder(mac);
            changed.setCharAt(random.nextInt(mac.length()), (char) random.nextInt(0x20, 0x7f));
            assertEquals(changed.toString().equals(mac), macs.verifies(changed.toString(), MESSAGE), changed + "");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "x", "zzzzzzzz.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "00000000.", "é.ü"})
    void refusesWhatIsNoMac(String text) {
        assertFalse(InstallationKey.parse(NEW).macs(Purpose.RECORDS).verifies(text, MESSAGE));
    }

    @Test
    void saysWhatIsWrongWithoutTheKey() {
        String secret = "c2VudGluZWw=";

        var fault = assertThrows(IllegalArgumentException.class, () -> InstallationKey.parse(NEW + "," + secret));

        assertEquals("key 2 has 8 bytes, 32 are needed", fault.getMessage());
        assertThrows(IllegalArgumentException.class, () -> InstallationKey.parse(NEW + "," + NEW));
        assertThrows(IllegalArgumentException.class, () -> InstallationKey.parse(""));
        assertFalse(InstallationKey.parse(NEW).toString().contains(NEW));
    }

    @Test
    void hasOtherIdsThanMasterKeys() {
        assertNotEquals(
                (long) InstallationKey.parse(NEW).ids().getFirst(),
                MasterKeys.parse(NEW).first());
    }

    private static String key(int seed) {
        byte[] bytes = new byte[InstallationKey.LENGTH];
        Arrays.fill(bytes, (byte) seed);
        return Base64.getEncoder().encodeToString(bytes);
    }
}
