package dev.parley.sessions.api.share;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.platform.access.BearerToken;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class MaskingTest {

    @ParameterizedTest
    @Tag("I52")
    @ValueSource(
            strings = {
                "sk-proj-Ab12Cd34Ef56Gh78",
                "sk-ant-api03-xxxxxxxxxxxxxxxx-yy",
                "ghp_0123456789abcdefghijABCDEFGHIJ012345",
                "github_pat_11ABCDEFG0123456789_abcdef",
                "xoxb-123456789012-abcdefghij",
                "xapp-1-A0123456789-abcdefghij",
                "EAAJxyzABCDEFGHIJKLMNOP0123456789",
                "AKIAIOSFODNN7EXAMPLE",
                "AIzaSyA-0123456789abcdefghijklmnopqrstuv",
                "123456789:AAbot-token_0123456789",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"
            })
    void masksSecretsOfKnownForms(String secret) {
        for (String text : List.of(secret, "key=" + secret + ", ok?", "\"" + secret + "\"", "it is\n" + secret + ".")) {
            String masked = Masking.of(text);
            assertEquals(text.replace(secret, "•••"), masked);
        }
    }

    @Test
    @Tag("I52")
    void masksKeysOfThisServer() {
        for (BearerToken token :
                List.of(BearerToken.make(KeyKind.API_KEY), BearerToken.make(KeyKind.SIGN_IN), BearerToken.ofLink())) {
            assertEquals("use •••!", Masking.of("use " + token.text() + "!"));
        }
    }

    @Test
    @Tag("I52")
    void keepsTheTextAroundASecret() {
        assertEquals("Authorization: Bearer ••• ok", Masking.of("Authorization: Bearer abc.DEF-123456 ok"));
        assertEquals("postgres://app:•••@db/x", Masking.of("postgres://app:hunter2@db/x"));
        assertEquals("a ••• b", Masking.of("a -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- b"));
        assertEquals("•••", Masking.of("-----BEGIN RSA PRIVATE KEY-----\nit ends too soon"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The bearer of this letter, and Bearer authentication in general",
                "parley_channel_delivery_seconds and parley_channel_oldest_seconds",
                "a risk-based task-oriented disk-usage",
                "https://example.org:8443/a@b and mailto:a@b.org",
                "Call 123456: AA meets at 10:30",
                ""
            })
    void keepsOtherTexts(String text) {
        assertEquals(text, Masking.of(text));
    }
}
