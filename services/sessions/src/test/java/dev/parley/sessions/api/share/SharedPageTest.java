package dev.parley.sessions.api.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.domain.Sha256;
import dev.parley.sessions.api.PartJson.GivenFile;
import dev.parley.sessions.api.share.SharedJson.SharedMessage;
import dev.parley.sessions.api.share.SharedJson.SharedPart;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SharedPageTest {
    private static final String EVIL = "<script>alert('x')</script>\"'&amp; <img src=x onerror=alert(1)>";
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    @Tag("I51")
    void escapesAllTextOfTheSharedPage() {
        // Given
        var parts = List.of(
                part("text", null),
                part("file", null),
                part("file", "ab\" onclick=\"x"),
                part("reasoning", null),
                part("tool", null));
        var message = new SharedMessage(EVIL, parts, EVIL, EVIL, EVIL, false, NOW);

        // When
        String page = SharedPage.of(new SharedJson(EVIL, NOW, NOW, NOW, List.of(message), EVIL), "parleyl_x");

        // Then
        assertFalse(page.contains("<script"), page);
        assertFalse(page.contains("<img"), page);
        assertFalse(page.contains("onclick=\""), page);
        assertFalse(page.contains("alert('"), page);
        assertTrue(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&#39;&amp;amp; "), page);
        assertTrue(page.contains("2026-01-02 03:04 UTC"), page);
    }

    private static SharedPart part(String kind, String sha256) {
        var files = List.of(new GivenFile(EVIL, EVIL, 1, EVIL));
        return new SharedPart(kind, EVIL, EVIL, EVIL, EVIL, EVIL, EVIL, EVIL, 1L, sha256, EVIL, files);
    }

    @Test
    @Tag("I51")
    void pageLoadsNoResourcesAndItsPolicyAllowsItsStyle() {
        String page = SharedPage.of(new SharedJson("A title", NOW, NOW, NOW, List.of(), null), "parleyl_x");

        String style = page.substring(page.indexOf("<style>") + 7, page.indexOf("</style>"));
        String hash = Base64.getEncoder().encodeToString(Sha256.of(style));
        assertEquals(
                "default-src 'none'; style-src 'sha256-" + hash
                        + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                SharedPage.POLICY);
        assertFalse(page.contains("http:") || page.contains("https:") || page.contains("src="), page);
    }
}
