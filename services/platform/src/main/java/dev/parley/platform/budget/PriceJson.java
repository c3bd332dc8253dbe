package dev.parley.platform.budget;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.Price;
import dev.parley.platform.json.JsonMappers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Prices in settings of hosts, and those of the build. */
public final class PriceJson {
    /** Prefix of the names of price settings, before {@code provider/model}. */
    public static final String PREFIX = "price/";

    private static final ObjectMapper JSON =
            JsonMappers.stored().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private PriceJson() {}

    /** The name of the price setting of a model. */
    public static String name(String provider, String model) {
        return PREFIX + provider + "/" + model;
    }

    /** The price that a host has set for a model with exactly this name. */
    public static Optional<Price> of(AccessDirectory directory, UUID host, String provider, String model) {
        return directory.setting(host, name(provider, model)).map(setting -> read(provider + "/" + model, setting));
    }

    private static Price read(String model, Setting setting) {
        try {
            JsonNode fields = JSON.readTree(setting.value());
            return new Price(
                    model,
                    Objects.requireNonNull(dollars(fields, "input")),
                    dollars(fields, "cacheRead"),
                    dollars(fields, "cacheWrite"),
                    Objects.requireNonNull(dollars(fields, "output")),
                    null,
                    null,
                    null);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the price " + setting.key() + " cannot be read", e);
        }
    }

    private static @Nullable BigDecimal dollars(JsonNode fields, String name) {
        JsonNode value = fields.get(name);
        return value == null || value.isNull() ? null : value.decimalValue();
    }

    /** The prices of this build. */
    public static List<Price> ofBuild() {
        try (InputStream table = PriceJson.class.getResourceAsStream("/parley/prices.yml")) {
            return JsonMappers.yaml()
                    .readValue(Objects.requireNonNull(table, "prices.yml"), new TypeReference<List<Price>>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
