package dev.parley.agents.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.budget.Estimate;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.Price;
import dev.parley.platform.testkit.SettingsOnly;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EstimatesTest {
    private static final Price CACHED =
            new Price("first/m", BigDecimal.ONE, null, BigDecimal.TWO, BigDecimal.TEN, null, null, null);

    private static Estimate of(ModelRequests conversation, Integer maxTokens) {
        var agent = Agents.of("first", "m", null, maxTokens, ThinkingLevel.NONE, Map.of());
        return Estimates.of(conversation.agent(agent).request(), Prices.with(List.of(CACHED), AccessDirectory.NOTHING));
    }

    @Test
    void estimatesFullInputAndMaximumOutput() {
        Estimate small = of(new ModelRequests().user("abc"), 100);
        Estimate large = of(new ModelRequests().user("abc" + "x".repeat(3_000)), 100);

        assertEquals(1_000, large.tokens() - small.tokens());
        long input = small.tokens() - 100;
        assertEquals(input * 2_000 + 100 * 10_000, small.nanos(), "all of it goes into the cache at its price");
        assertEquals(input + 8_192, of(new ModelRequests().user("abc"), null).tokens());
    }

    @Test
    void estimatesImagesAndNonLatinTextHigh() {
        var picture = new Block.File("a.png", "image/png", 3 << 20, "0", null, null);
        var message = new Message(Role.USER, List.of(picture), false, null, null);
        Estimate baseline = of(new ModelRequests().user(""), 100);

        assertTrue(of(new ModelRequests().message(message), 100).tokens() - baseline.tokens() >= 3_990);
        assertEquals(200, of(new ModelRequests().user("語".repeat(200)), 100).tokens() - baseline.tokens());
    }

    @Test
    void hostPriceOverridesTheConfiguredPriceForThatHost() {
        // Given
        UUID host = UUID.randomUUID();
        var settings = new SettingsOnly().set(host, "price/first/m", "{\"input\":3,\"output\":5.5}");
        var prices = Prices.with(List.of(CACHED), settings);
        var usage = new Usage(10, 10, 0, 0, 0, null);

        // Then
        assertEquals(
                10 * 3_000L + 10 * 5_500L,
                prices.addCost(host, usage, "first", "m-2026-01-31").costNanos());
        assertEquals(
                10 * 1_000L + 10 * 10_000L,
                prices.addCost(UUID.randomUUID(), usage, "first", "m").costNanos());
        assertNull(prices.addCost(host, usage, "first", "other").costNanos());
    }
}
