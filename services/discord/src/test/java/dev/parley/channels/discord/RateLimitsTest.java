package dev.parley.channels.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.parley.channels.discord.RateLimits.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RateLimitsTest {
    private Instant now = Instant.parse("2026-11-27T00:00:00Z");
    private final RateLimits limits = new RateLimits(() -> now);
    private final Route messages = DiscordApi.route("POST", "/channels/123456/messages");
    private final Route elsewhere = DiscordApi.route("POST", "/channels/654321/messages");

    @Test
    void exhaustedBucketBlocksItsChannelOnly() {
        limits.update(messages, "abc", "0", "1.5");

        assertEquals(Optional.of(Duration.ofMillis(1_500)), limits.remainingWait(messages));
        assertEquals(Optional.empty(), limits.remainingWait(elsewhere));
        now = now.plusMillis(1_500);
        assertEquals(Optional.empty(), limits.remainingWait(messages));
    }

    @Test
    void routesShareABucket() {
        Route change = DiscordApi.route("PATCH", "/channels/123456/messages/777777");
        limits.update(change, "abc", "3", "1");
        limits.update(messages, "abc", "0", "2");

        assertEquals(Optional.of(Duration.ofSeconds(2)), limits.remainingWait(change));
    }

    @Test
    void globalLimitBlocksAllRoutes() {
        limits.onRateLimited(messages, Duration.ofSeconds(3), true);
        assertEquals(Optional.of(Duration.ofSeconds(3)), limits.remainingWait(elsewhere));
    }

    @Test
    void limitsRetryTimesToOneHour() {
        assertEquals(Optional.of(Duration.ofHours(1)), RateLimits.seconds("999999999"));
        assertEquals(Optional.of(Duration.ofMillis(65_571)), RateLimits.seconds("65.5701"));
        assertEquals(Optional.empty(), RateLimits.seconds("-1"));
        assertEquals(Optional.empty(), RateLimits.seconds("soon"));
    }

    @Test
    void routeNamesOmitIdsAndSecrets() {
        // Then
        assertEquals(new Route("POST /channels/messages", "123456"), messages);
        assertEquals(
                new Route("PATCH /channels/messages/*", "123456"),
                DiscordApi.route("PATCH", "/channels/123456/messages/777777"));
        assertEquals(
                new Route("GET /channels/messages", "123456"),
                DiscordApi.route("GET", "/channels/123456/messages?limit=100&after=5"));
        assertSecret("POST /interactions", DiscordApi.route("POST", "/interactions/123456/aSecretToken/callback"));
        assertSecret(
                "DELETE /webhooks", DiscordApi.route("DELETE", "/webhooks/123456/aSecretToken/messages/@original"));
    }

    private static void assertSecret(String name, Route route) {
        assertEquals(name, route.name());
        assertFalse(route.place().contains("aSecretToken"));
    }

    @Test
    void interactionsHaveLimitsOfTheirOwn() {
        // Given
        Route one = DiscordApi.route("POST", "/interactions/123456/one/callback");
        Route other = DiscordApi.route("POST", "/interactions/123457/other/callback");

        // When
        limits.onRateLimited(messages, Duration.ofSeconds(3), true);
        limits.update(one, "abc", "0", "1");

        // Then
        assertEquals(Optional.of(Duration.ofSeconds(1)), limits.remainingWait(one));
        assertEquals(Optional.empty(), limits.remainingWait(other));
    }

    @Test
    @Tag("B232")
    void manyInvalidCallsStopAllCallsBeforeDiscordBlocksTheAddress() {
        for (int i = 0; i < 999; i++) {
            limits.onInvalid();
        }
        assertEquals(Optional.empty(), limits.remainingWait(messages));
        now = now.plusSeconds(60);

        limits.onInvalid();

        assertEquals(Optional.of(Duration.ofMinutes(9)), limits.remainingWait(messages));
        now = now.plus(Duration.ofMinutes(9));
        assertEquals(Optional.empty(), limits.remainingWait(messages));
    }
}
