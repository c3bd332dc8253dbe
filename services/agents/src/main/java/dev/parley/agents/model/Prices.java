package dev.parley.agents.model;

import dev.parley.agents.model.wire.ProviderTranscript;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.budget.PriceJson;
import dev.parley.platform.config.Price;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The prices of models. The cost of a call is fixed when it is made; later prices do not change it. */
public final class Prices {
    /** Billionths of a dollar per token, for a price of one dollar per million tokens. */
    private static final BigDecimal NANOS_PER_TOKEN = BigDecimal.valueOf(1_000);

    /** The built-in provider. */
    private static final String FREE = "scripted";

    private final Map<String, Price> byModel = new HashMap<>();
    private final AccessDirectory directory;

    private Prices(List<Price> prices, AccessDirectory directory) {
        this.directory = directory;
        prices.forEach(price -> byModel.put(ProviderTranscript.stripVersionDate(price.model()), price));
    }

    /**
     * The prices of this build, overridden by the operator's, and those by the prices that each host has set.
     *
     * @param directory has the prices of hosts
     */
    static Prices with(List<Price> operators, AccessDirectory directory) {
        return new Prices(
                Stream.concat(PriceJson.ofBuild().stream(), operators.stream()).toList(), directory);
    }

    /**
     * The usage with its cost added.
     *
     * @param model the provider's name of the model
     * @return the same usage if it already has a cost, or the model has no price
     */
    Usage addCost(UUID host, Usage usage, String provider, String model) {
        Optional<Long> cost = usage.costNanos() == null ? cost(host, usage, provider, model) : Optional.empty();
        return cost.isEmpty()
                ? usage
                : new Usage(
                        usage.input(),
                        usage.output(),
                        usage.reasoning(),
                        usage.cacheRead(),
                        usage.cacheWrite(),
                        cost.get());
    }

    /** The cost of this usage at current prices, in billionths of a dollar; empty if the model has no price. */
    Optional<Long> cost(UUID host, Usage usage, String provider, String model) {
        return provider.equals(FREE)
                ? Optional.of(0L)
                : price(host, provider, model).map(price -> nanos(usage, price));
    }

    private Optional<Price> price(UUID host, String provider, String model) {
        String plain = ProviderTranscript.stripVersionDate(model);
        return PriceJson.of(directory, host, provider, model)
                .or(() -> PriceJson.of(directory, host, provider, plain))
                .or(() ->
                        Optional.ofNullable(byModel.get(ProviderTranscript.stripVersionDate(provider + "/" + model))));
    }

    /** Whether a model has a price, apart from those that hosts set. */
    boolean know(String provider, String model) {
        return byModel.containsKey(ProviderTranscript.stripVersionDate(provider + "/" + model));
    }

    private static long nanos(Usage usage, Price price) {
        boolean isLong = price.longFrom() != null && usage.input() > price.longFrom();
        long uncached = Math.max(0, usage.input() - usage.cacheRead() - usage.cacheWrite());
        BigDecimal input = times(uncached, price.input())
                .add(times(usage.cacheRead(), or(price.cacheRead(), price.input())))
                .add(times(usage.cacheWrite(), or(price.cacheWrite(), price.input())))
                .multiply(isLong ? or(price.longInput(), BigDecimal.ONE) : BigDecimal.ONE);
        BigDecimal output = times(usage.output(), price.output())
                .multiply(isLong ? or(price.longOutput(), BigDecimal.ONE) : BigDecimal.ONE);
        return input.add(output)
                .multiply(NANOS_PER_TOKEN)
                .setScale(0, RoundingMode.HALF_UP)
                .longValueExact();
    }

    private static BigDecimal times(long tokens, BigDecimal price) {
        return BigDecimal.valueOf(tokens).multiply(price);
    }

    private static BigDecimal or(@Nullable BigDecimal price, BigDecimal fallback) {
        return price == null ? fallback : price;
    }
}
