package dev.parley.channels.bots;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.parley.channels.contract.BotKind;
import dev.parley.channels.contract.ReplyUrls;
import dev.parley.domain.RecordKey;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.power.Grant;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.PowerGrants;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Arrays;
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

    private static BotRequest request(
            @Nullable String name,
            @Nullable String token,
            @Nullable String groups,
            @Nullable String url,
            String... users) {
        return new BotRequest(name, null, token, null, null, Arrays.asList(users), null, null, groups, null, url);
    }

    private static String refusal(Runnable action) {
        ApiException e = assertThrows(ApiException.class, action::run);
        assertFalse(e.getMessage().contains("sk-sentinel-"), "a token is in no message");
        return e.code();
    }

    @Test
    void appliesDefaultSettings() {
        BotSettings settings = request("a", TOKEN, null, null, "1", "1").settings("telegram");

        assertEquals(new BotSettings(null, List.of("1"), false, false, "mention", true, null, List.of()), settings);
        assertEquals(settings, BotSettings.read(settings.json()));
        assertFalse(request("a", TOKEN, null, "https://x.example", "U1").settings("webhook").stream());
        assertFalse(request("a", TOKEN, null, null).toString().contains(TOKEN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "1a", "a b", "a:b", "a/b", "ä", "a#b"})
    void rejectsAnInvalidName(String name) {
        assertEquals(
                "invalid_name", refusal(() -> request(name, TOKEN, null, null).checkedName()));
        assertEquals(
                "invalid_name",
                refusal(() -> request("a".repeat(64), TOKEN, null, null).checkedName()));
        assertEquals(
                "invalid_name", refusal(() -> request(null, TOKEN, null, null).checkedName()));
    }

    @Test
    @Tag("I147")
    void rejectsAnInvalidTokenWithoutRevealingIt() {
        // Then
        assertEquals(
                new BotSecrets(TOKEN, Map.of()), request("a", TOKEN, null, null).checkedSecrets("telegram"));
        assertNull(request("a", null, null, null).checkedSecrets("telegram"), "a change may leave it");
        for (String bad : new String[] {
            "", "sk-sentinel-token", "42:", "42:sk-sentinel- with space", "42:a\nb", "x42:sk-sentinel-1"
        }) {
            assertEquals(
                    "invalid_token", refusal(() -> request("a", bad, null, null).checkedSecrets("telegram")), bad);
        }
        for (String bad : new String[] {"", "short", "sk-sentinel-0123456789 x", "x".repeat(257)}) {
            assertEquals(
                    "invalid_token", refusal(() -> request("a", bad, null, null).checkedSecrets("webhook")), bad);
        }
    }

    private static BotRequest slack(@Nullable String token, @Nullable Map<String, @Nullable String> secrets) {
        return new BotRequest("a", "slack", token, secrets, null, null, null, null, null, null, null);
    }

    @Test
    @Tag("I147")
    void requiresAllSecretsOfAKindAndDoesNotRevealThem() {
        // Given
        String token = "xoxb-1-2-sk-sentinel-token_0123456789";
        String app = "xapp-1-sk-sentinel-token_0123456789";
        BotKind kind = BotKinds.of("slack");

        // When
        BotSecrets secrets = slack(token, Map.of("appToken", app)).checkedSecrets("slack");

        // Then
        assertEquals(new BotSecrets(token, Map.of("appToken", app)), secrets);
        String sealed = Objects.requireNonNull(secrets).text(kind);
        assertEquals(token, BotSecrets.readSecret(kind, sealed, ""));
        assertEquals(app, BotSecrets.readSecret(kind, sealed, "appToken"));
        assertThrows(IllegalArgumentException.class, () -> BotSecrets.readSecret(kind, sealed, "signingSecret"));
        assertFalse(secrets.toString().contains("sk-sentinel-"));
        assertNull(slack(null, null).checkedSecrets("slack"), "a change may leave them");
        assertEquals("invalid_secrets", refusal(() -> slack(token, null).checkedSecrets("slack")));
        assertEquals(
                "invalid_token",
                refusal(() -> slack(null, Map.of("appToken", app)).checkedSecrets("slack")));
        assertEquals(
                "invalid_secrets",
                refusal(() -> slack(token, Map.of("appToken", "sk-sentinel-")).checkedSecrets("slack")));
        assertEquals(
                "invalid_secrets",
                refusal(() -> slack(token, Map.of("other", app)).checkedSecrets("slack")));
        assertEquals(
                "invalid_secrets",
                refusal(() -> new BotRequest(
                                "a", null, TOKEN, Map.of("appToken", app), null, null, null, null, null, null, null)
                        .checkedSecrets("telegram")));
    }

    @Test
    void rejectsSettingsOfAnotherKind() {
        // Then
        assertEquals(
                "invalid_allowedUsers",
                refusal(() -> request("a", TOKEN, null, null, "ann").settings("telegram")));
        assertEquals(
                "invalid_groups",
                refusal(() -> request("a", TOKEN, "some", null).settings("telegram")));
        assertEquals(
                "invalid_groups",
                refusal(() -> request("a", TOKEN, "off", "https://x.example").settings("webhook")));
        assertEquals(
                "invalid_url", refusal(() -> request("a", TOKEN, null, null).settings("webhook")));
        assertEquals(
                "invalid_kind",
                refusal(() -> new BotRequest("a", "smoke", null, null, null, null, null, null, null, null, null)
                        .checkedKind()));
    }

    @Test
    @Tag("I147")
    void changedBotRowYieldsADifferentConfig() {
        // When
        BotConfig first = row(1).bot(ROW);
        BotConfig second = row(1).bot(new ProjectBot(
                ROW.hostId(),
                ROW.botId(),
                "a",
                ROW.projectId(),
                "shop",
                "telegram",
                "{}",
                new byte[1],
                1L,
                "6789",
                2,
                true,
                Instant.EPOCH,
                "x"));

        // Then
        assertFalse(first.isOperators());
        assertFalse(first.equals(second));
        assertEquals("shop", first.project());
    }

    private static final ProjectBot ROW = new ProjectBot(
            UUID.randomUUID(),
            UUID.randomUUID(),
            "a",
            UUID.randomUUID(),
            "shop",
            "telegram",
            "{}",
            new byte[1],
            1L,
            "6789",
            1,
            true,
            Instant.EPOCH,
            "x");

    private static BotSettings row(int user) {
        return new BotSettings(null, List.of(Integer.toString(user)), false, false, "mention", true, null, List.of());
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
