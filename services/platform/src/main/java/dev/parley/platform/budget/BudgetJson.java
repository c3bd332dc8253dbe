package dev.parley.platform.budget;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.Coded;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.domain.budget.BudgetScope;
import dev.parley.domain.budget.Period;
import dev.parley.domain.budget.SpendingLimit;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.json.JsonMappers;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads budgets: {@code {"amount": 10, "period": "day", "tokens": 1000000, "turnsPerMinute": 30}}. */
public final class BudgetJson {
    private static final Logger LOG = LoggerFactory.getLogger(BudgetJson.class);
    /** Exact decimals, since amounts are not doubles. */
    private static final ObjectMapper JSON =
            JsonMappers.stored().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private static final List<String> FIELDS = List.of("amount", "tokens", "period", "turnsPerMinute");
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);
    private static final BigDecimal MAX_AMOUNT = BigDecimal.valueOf(1_000_000_000);
    private static final BigDecimal MAX_TOKENS = BigDecimal.valueOf(1_000_000_000_000_000L);
    private static final BigDecimal MAX_TURNS = BigDecimal.valueOf(1_000_000);

    private BudgetJson() {}

    /**
     * Reads a budget.
     *
     * @throws IllegalArgumentException whose message continues a sentence that begins with "The field 'budget' "
     */
    public static SpendingLimit read(String json) {
        JsonNode fields = object(json);
        BigDecimal amount = number(fields, "amount", MAX_AMOUNT);
        BigDecimal tokens = number(fields, "tokens", MAX_TOKENS);
        BigDecimal turns = number(fields, "turnsPerMinute", MAX_TURNS);
        if (amount == null && tokens == null && turns == null) {
            throw new IllegalArgumentException("needs 'amount', 'tokens' or 'turnsPerMinute'");
        }
        if (turns != null && turns.signum() == 0) {
            throw new IllegalArgumentException("has 'turnsPerMinute' of at least 1");
        }
        return new SpendingLimit(
                amount == null ? null : exact("amount", amount.multiply(NANOS)),
                tokens == null ? null : exact("tokens", tokens),
                period(fields, amount != null || tokens != null),
                turns == null ? null : (int) exact("turnsPerMinute", turns));
    }

    private static JsonNode object(String json) {
        JsonNode fields;
        try {
            fields = JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("is not valid JSON", e);
        }
        if (!fields.isObject()) {
            throw new IllegalArgumentException("is an object such as {\"amount\": 10, \"period\": \"day\"}");
        }
        var unknown = new ArrayList<String>();
        fields.fieldNames().forEachRemaining(unknown::add);
        unknown.removeAll(FIELDS);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "has no '%s'; there are %s".formatted(unknown.getFirst(), String.join(", ", FIELDS)));
        }
        return fields;
    }

    private static @Nullable BigDecimal number(JsonNode fields, String name, BigDecimal limit) {
        JsonNode value = fields.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isNumber()
                || value.decimalValue().signum() < 0
                || value.decimalValue().compareTo(limit) > 0) {
            throw new IllegalArgumentException("has '%s' as a number from 0 to %s".formatted(name, limit));
        }
        return value.decimalValue();
    }

    private static long exact(String name, BigDecimal value) {
        try {
            return value.longValueExact();
        } catch (ArithmeticException e) {
            String decimals = name.equals("amount") ? "no more than nine decimals" : "no decimals";
            throw new IllegalArgumentException("has '%s' with %s".formatted(name, decimals), e);
        }
    }

    private static Period period(JsonNode fields, boolean required) {
        JsonNode value = fields.get("period");
        if (value == null && !required) {
            return Period.TOTAL;
        }
        return Coded.of(Period.class, value == null ? "" : value.asText())
                .orElseThrow(() -> new IllegalArgumentException("needs 'period' as day, month or total"));
    }

    /** The budget of a subject, if one is set. An unreadable budget allows nothing. */
    public static Optional<SpendingLimit> of(AccessDirectory directory, UUID host, BudgetScope scope, UUID id) {
        return directory.setting(host, scope.setting(id)).map(BudgetJson::readOrZero);
    }

    private static SpendingLimit readOrZero(Setting setting) {
        try {
            return read(setting.value());
        } catch (IllegalArgumentException e) {
            LOG.atError()
                    .addKeyValue("setting", setting.key())
                    .addKeyValue("reason", e.getMessage())
                    .log("budget cannot be read");
            return new SpendingLimit(0L, 0L, Period.TOTAL, null);
        }
    }
}
