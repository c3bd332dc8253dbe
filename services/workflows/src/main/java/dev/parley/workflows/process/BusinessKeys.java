package dev.parley.workflows.process;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Searchable business attributes of a process: parties, products, prices and the like. Set at its start, and changed by
 * the member {@code business} of its context.
 */
public final class BusinessKeys {
    /** Member of the context that sets business keys. */
    public static final String MEMBER = "business";

    /** The time after which a running process is overdue. */
    static final String DEADLINE = "deadline";

    private static final int MAX_LENGTH = 126;
    private static final int MAX_DIGITS = 100;
    private static final Set<String> CURRENCIES = Currency.getAvailableCurrencies().stream()
            .map(Currency::getCurrencyCode)
            .collect(Collectors.toUnmodifiableSet());

    /** Type of a key. */
    public enum Kind {
        TEXT,
        /** A time with its zone. */
        TIME,
        /** A number with its scale: {@code "12.3400"}. */
        NUMBER,
        /** An ISO 4217 currency code. */
        CURRENCY
    }

    /**
     * A key.
     *
     * @param name in JSON
     * @param column of {@code process_info_t}; a number has a second column with the suffix {@code _scale}
     */
    public record Key(String name, String column, Kind kind) {}

    public static final List<Key> ALL = List.of(
            text("appId", "app_id"),
            text("processType", "process_type"),
            text("processSubtypeCode", "process_subtype_code"),
            text("customStatusCode", "custom_status_code"),
            text("resultCode", "result_code"),
            text("sourceId", "source_id"),
            text("branchCode", "branch_code"),
            text("rrCode", "rr_code"),
            text("partyId", "party_id"),
            text("partyName", "party_name"),
            text("counterPartyId", "counter_party_id"),
            text("counterPartyName", "counter_party_name"),
            text("txnId", "txn_id"),
            text("txnName", "txn_name"),
            text("productId", "product_id"),
            text("productName", "product_name"),
            text("productType", "product_type"),
            text("groupName", "group_name"),
            text("subgroupName", "subgroup_name"),
            text("owningGroupName", "owning_group_name"),
            text("exRefId", "ex_ref_id"),
            text("exRefCode", "ex_ref_code"),
            text("parentGroupId", "parent_group_id"),
            new Key(DEADLINE, "deadline_ts", Kind.TIME),
            new Key("eventStart", "event_start_ts", Kind.TIME),
            new Key("eventEnd", "event_end_ts", Kind.TIME),
            new Key("eventOtherTime", "event_other_ts", Kind.TIME),
            text("eventOther", "event_other"),
            new Key("risk", "risk", Kind.NUMBER),
            new Key("price", "price", Kind.NUMBER),
            new Key("productQy", "product_qy", Kind.NUMBER),
            new Key("currencyCode", "currency_code", Kind.CURRENCY));

    private BusinessKeys() {}

    private static Key text(String name, String column) {
        return new Key(name, column, Kind.TEXT);
    }

    /** The key of this name. */
    public static Optional<Key> of(String name) {
        return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
    }

    /** Problems of the keys; empty if they are valid. */
    public static List<String> errors(Json keys) {
        if (keys.isNull()) {
            return List.of();
        }
        if (!(keys instanceof Json.Obj)) {
            return List.of("'business' is an object");
        }
        var errors = new ArrayList<String>();
        for (Map.Entry<String, Json> member : keys.map().entrySet()) {
            of(member.getKey())
                    .ifPresentOrElse(
                            key -> error(key, member.getValue()).ifPresent(errors::add),
                            () -> errors.add("unknown business key '" + member.getKey() + "'; known keys are "
                                    + String.join(
                                            ", ", ALL.stream().map(Key::name).toList())));
        }
        return errors;
    }

    private static Optional<String> error(Key key, Json value) {
        String text = value.display();
        if (value.isNull() || isValid(key.kind(), text)) {
            return Optional.empty();
        }
        String rule = switch (key.kind()) {
            case TEXT -> "has at most " + MAX_LENGTH + " characters";
            case TIME -> "is a time such as 2026-03-01T09:30:00Z, not '" + text + "'";
            case NUMBER -> "is a number such as \"12.3400\", not '" + text + "'";
            case CURRENCY -> "is a currency such as EUR, not '" + text + "'";
        };
        return Optional.of("'" + key.name() + "' " + rule);
    }

    private static boolean isValid(Kind kind, String text) {
        return switch (kind) {
            case TEXT -> text.length() <= MAX_LENGTH;
            case TIME -> time(text).isPresent();
            case NUMBER -> number(text).isPresent();
            case CURRENCY -> CURRENCIES.contains(text);
        };
    }

    /** A time of a key. */
    public static Optional<Instant> time(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** A number of a key, with its scale. */
    public static Optional<BigDecimal> number(String text) {
        try {
            var number = new BigDecimal(text);
            return number.precision() <= MAX_DIGITS && number.scale() >= 0 && number.scale() <= MAX_DIGITS
                    ? Optional.of(number)
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The keys, updated from the context; invalid values are ignored. */
    static Json updatedFrom(Json keys, Json context) {
        return with(keys, context.get(MEMBER));
    }

    /** The keys, updated with the changes. */
    static Json with(Json keys, Json changes) {
        Json merged = keys.isNull() ? Values.EMPTY_OBJECT : keys;
        for (Map.Entry<String, Json> member : changes.map().entrySet()) {
            Optional<Key> key = of(member.getKey());
            if (key.isPresent() && error(key.get(), member.getValue()).isEmpty()) {
                merged = merged.with(member.getKey(), Json.of(member.getValue().display()));
            }
        }
        return merged;
    }
}
