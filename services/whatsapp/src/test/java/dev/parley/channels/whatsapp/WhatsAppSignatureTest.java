package dev.parley.channels.whatsapp;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.testkit.whatsapp.FakeWhatsApp;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WhatsAppSignatureTest {
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    /** With an escape that Meta signs as it sends it. */
    private static final String BODY = "{\"object\":\"whatsapp_business_account\",\"text\":\"\\u00e4 /\"}";

    private static boolean isValid(String secret, String body, String signature) {
        return WhatsAppSignature.isOf(secret, body.getBytes(StandardCharsets.UTF_8), signature);
    }

    @Test
    @Tag("B201")
    void acceptsTheRawBytesThatWereSigned() {
        assertTrue(isValid(SECRET, BODY, FakeWhatsApp.signature(SECRET, BODY)));
    }

    @Test
    @Tag("B201")
    void rejectsEverythingElse() {
        String signature = FakeWhatsApp.signature(SECRET, BODY);

        assertFalse(isValid(SECRET, BODY.replace("\\u00e4", "ä"), signature), "the same JSON in other bytes");
        assertFalse(isValid(SECRET, BODY + " ", signature));
        assertFalse(isValid(SECRET.replace('0', '1'), BODY, signature));
        for (String bad : List.of(
                "",
                "sha256=",
                signature.substring("sha256=".length()),
                signature.replace("sha256", "sha1"),
                signature + "0",
                signature.toUpperCase(Locale.ROOT))) {
            assertFalse(isValid(SECRET, BODY, bad), bad);
        }
    }
}
