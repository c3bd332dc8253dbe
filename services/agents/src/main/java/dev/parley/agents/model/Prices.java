package dev.parley.agents.model;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.parley.agents.model.wire.Transcript;
import dev.parley.domain.turn.Usage;
import dev.parley.platform.config.Price;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What models cost. A cost is fixed when its call is made: later prices do not change it. */
public final class Prices {
    /** A dollar for a million tokens is this many billionths of a dollar for one. */
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000);

    private final Map<String, Price> byModel = new HashMap<>();

    private Prices(List<Price> prices) {
        prices.forEach(price -> byModel.put(Transcript.plainModel(price.model()), price));
    }

    /** The prices that come with this build, and before them those of the operator. */
    public static Prices with(List<Price> operators) {
        try (InputStream table = Prices.class.getResourceAsStream("/parley/prices.yml")) {
            var known = new ObjectMapper(new YAMLFactory())
                    .readValue(Objects.requireNonNull(table, "prices.yml"), new TypeReference<List<Price>>() {});
            var prices = new Prices(known);
            operators.forEach(price -> prices.byModel.put(Transcript.plainModel(price.model()), price));
            return prices;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The usage with its cost.
     *
     * @param model the name that the provider gives the model
     * @return the same usage where it has a cost, or none is known
     */
    Usage priced(Usage usage, String provider, String model) {
        Price price = byModel.get(Transcript.plainModel(provider + "/" + model));
        return usage.costNanos() != null || price == null
                ? usage
                : new Usage(
                        usage.input(),
                        usage.output(),
                        usage.reasoning(),
                        usage.cacheRead(),
                        usage.cacheWrite(),
                        nanos(usage, price));
    }

    /** Whether a model's calls have a price. */
    boolean know(String provider, String model) {
        return byModel.containsKey(Transcript.plainModel(provider + "/" + model));
    }

    private static long nanos(Usage usage, Price price) {
        boolean isLong = price.longFrom() != null && usage.input() > price.longFrom();
        long fresh = Math.max(0, usage.input() - usage.cacheRead() - usage.cacheWrite());
        BigDecimal input = times(fresh, price.input())
                .add(times(usage.cacheRead(), or(price.cacheRead(), price.input())))
                .add(times(usage.cacheWrite(), or(price.cacheWrite(), price.input())))
                .multiply(isLong ? or(price.longInput(), BigDecimal.ONE) : BigDecimal.ONE);
        BigDecimal output = times(usage.output(), price.output())
                .multiply(isLong ? or(price.longOutput(), BigDecimal.ONE) : BigDecimal.ONE);
        return input.add(output)
                .multiply(NANOS)
                .setScale(0, RoundingMode.HALF_UP)
                .longValueExact();
    }

    private static BigDecimal times(long tokens, BigDecimal price) {
        return BigDecimal.valueOf(tokens).multiply(price);
    }

    private static BigDecimal or(@Nullable BigDecimal price, BigDecimal otherwise) {
        return price == null ? otherwise : price;
    }
}
