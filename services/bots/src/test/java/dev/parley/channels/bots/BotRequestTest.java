package dev.parley.channels.bots;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.ReplyUrls;
import dev.parley.domain.RecordKey;
import dev.parley.platform.config.bot.BotConfig;
import dev.parley.platform.config.bot.BotKinds;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.power.Grant;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.PowerGrants;
import io.micronaut.json.tree.JsonNode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import okhttp3.Dns;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BotRequestTest {
    private static final String TOKEN = "42:sk-sentinel-bot-token_0123456789";
    private static final String URL = "https://x.example";

    /** @param members names and values, one after the other */
    private static BotRequest request(@Nullable Object... members) {
        var body = new HashMap<String, @Nullable Object>(Map.of("name", "a", "kind", "telegram", "token", TOKEN));
        for (int i = 0; i < members.length; i += 2) {
            body.put(String.valueOf(members[i]), members[i + 1]);
        }
        return new BotRequest(JsonNode.from(body));
    }

    private static String refused(@Nullable Object... members) {
        return refusal(() -> request(members).read(null));
    }

    private static @Nullable BotSecrets secrets(@Nullable ProjectBot before, @Nullable Object... members) {
        return request(members).read(before).secrets();
    }

    private static String refusal(Runnable action) {
        ApiException e = assertThrows(ApiException.class, action::run);
        assertFalse(e.getMessage().contains("sk-sentinel-"), "a token is in no message");
        return e.code();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "1a", "a b", "a:b", "a/b", "ä", "a#b"})
    void rejectsAnInvalidName(String name) {
        assertEquals("invalid_name", refused("name", name));
        assertEquals("invalid_name", refused("name", "a".repeat(64)));
        assertEquals("invalid_name", refused("name", null));
    }

    @Test
    @Tag("I147")
    void rejectsAnInvalidTokenWithoutRevealingIt() {
        // Then
        assertEquals(new BotSecrets(TOKEN, Map.of()), secrets(null));
        assertFalse(request().toString().contains(TOKEN));
        assertNull(secrets(ROW, "token", null), "a change may leave it");
        assertEquals("invalid_token", refused("token", null));
        for (Object bad : new Object[] {
            "",
            "sk-sentinel-token",
            "42:",
            "42:sk-sentinel- with space",
            "42:a\nb",
            "x42:sk-sentinel-1",
            42,
            List.of(TOKEN)
        }) {
            assertEquals("invalid_token", refused("token", bad), String.valueOf(bad));
        }
        for (String bad : new String[] {"", "short", "sk-sentinel-0123456789 x", "x".repeat(257)}) {
            assertEquals("invalid_token", refused("kind", "webhook", "url", URL, "token", bad), bad);
        }
    }

    private static @Nullable Object[] slack(@Nullable String token, @Nullable Map<String, String> secrets) {
        return new @Nullable Object[] {"kind", "slack", "token", token, "secrets", secrets};
    }

    @Test
    @Tag("I147")
    void requiresAllSecretsOfAKindAndDoesNotRevealThem() {
        // Given
        String token = "xoxb-1-2-sk-sentinel-token_0123456789";
        String app = "xapp-1-sk-sentinel-token_0123456789";
        BotKind kind = BotKinds.of("slack");

        // When
        BotSecrets secrets = secrets(null, slack(token, Map.of("appToken", app)));

        // Then
        assertEquals(new BotSecrets(token, Map.of("appToken", app)), secrets);
        String sealed = Objects.requireNonNull(secrets).text(kind);
        assertEquals(token, BotSecrets.readSecret(kind, sealed, ""));
        assertEquals(app, BotSecrets.readSecret(kind, sealed, "appToken"));
        assertThrows(IllegalArgumentException.class, () -> BotSecrets.readSecret(kind, sealed, "signingSecret"));
        assertFalse(secrets.toString().contains("sk-sentinel-"));
        assertEquals("invalid_secrets", refused(slack(token, null)));
        assertEquals("invalid_token", refused(slack(null, Map.of("appToken", app))));
        assertEquals("invalid_secrets", refused(slack(token, Map.of("appToken", "sk-sentinel-"))));
        assertEquals("invalid_secrets", refused(slack(token, Map.of("other", app))));
        assertEquals("invalid_secrets", refused("secrets", Map.of("appToken", app)));
        assertEquals("invalid_secrets", refused("secrets", "sk-sentinel-"));
    }

    @Test
    void rejectsSettingsOfAnotherKind() {
        // Then
        assertEquals("invalid_allowedUsers", refused("allowedUsers", List.of("ann")));
        assertEquals("invalid_groups", refused("groups", "some"));
        assertEquals("invalid_groups", refused("kind", "webhook", "token", TOKEN, "url", URL, "groups", "off"));
        assertEquals("invalid_url", refused("kind", "webhook", "token", TOKEN));
        assertEquals("invalid_kind", refused("kind", "smoke"));
        assertEquals("invalid_kind", refusal(() -> secrets(ROW, "kind", "slack")));
        assertEquals("invalid_name", refusal(() -> secrets(ROW, "name", "b")));
        assertEquals("unknown_field", refused("project", "shop"), "the project is that of the path");
    }

    @Test
    @Tag("I147")
    void changedBotRowYieldsADifferentConfig() {
        // When
        BotConfig first = ROW.stored().require();
        BotConfig second = row(2, "{\"groups\":\"mention\",\"secrets\":null,\"ofANewerRelease\":1}")
                .stored()
                .require();

        // Then
        assertFalse(first.isOperators());
        assertFalse(first.equals(second));
        assertEquals("shop", first.project());
    }

    private static final ProjectBot ROW = row(1, "{}");

    private static ProjectBot row(long version, String settings) {
        return new ProjectBot(
                new UUID(1, 1),
                new UUID(1, 2),
                "a",
                new UUID(1, 3),
                "shop",
                "telegram",
                settings,
                new byte[1],
                1L,
                "6789",
                version,
                true,
                Instant.EPOCH,
                "x");
    }

    // ---- reply URLs

    private static Dns names() {
        return host -> switch (host) {
            case "inside.example" -> List.of(InetAddress.getByName("10.0.0.7"));
            case "outside.example" -> List.of(InetAddress.getByName("93.184.216.34"));
            default -> throw new UnknownHostException(host);
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://outside.example",
                "nonsense",
                "http://outside.example/in",
                "https://user:pass@outside.example",
                "https://outside.example/#a",
                "https://inside.example/in",
                "https://127.0.0.1/in",
                "https://169.254.169.254/latest",
                "https://[::1]/in",
                "https://0x7f.1/in",
                "https://nowhere.example"
            })
    @Tag("I147")
    void rejectsUnsafeReplyUrls(String url) {
        var urls = new ReplyUrls(PowerGrants.NONE, names());

        assertEquals("invalid_url", refusal(() -> urls.check(Caller.DEFAULT_HOST, PROJECT, url)));
    }

    @Test
    void acceptsPublicHttpsAndOperatorAllowedHosts() {
        assertDoesNotThrow(() -> new ReplyUrls(PowerGrants.NONE, names())
                .check(Caller.DEFAULT_HOST, PROJECT, "https://outside.example/in?a=b"));
        assertDoesNotThrow(() -> new ReplyUrls(reaching("inside.example"), names())
                .check(Caller.DEFAULT_HOST, PROJECT, "http://inside.example/in"));
        assertDoesNotThrow(() -> new ReplyUrls(reaching("127.0.0.1"), names())
                .check(Caller.DEFAULT_HOST, PROJECT, "http://127.0.0.1:1/in"));
    }

    private static final UUID PROJECT = RecordKey.projectId(RecordKey.DEFAULT_PROJECT);

    private static PowerGrants reaching(String host) {
        return new PowerGrants(Map.of(Power.privateHost(host), Grant.UNNAMED), true);
    }
}
