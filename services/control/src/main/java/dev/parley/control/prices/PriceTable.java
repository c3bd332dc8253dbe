package dev.parley.control.prices;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.Columns;
import dev.parley.control.outbox.Published;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.budget.PriceJson;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.Price;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.IfMatch;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What models cost for a host: its own prices, before those of the configuration, before those of the build. */
@Singleton
@Requires(property = "parley.role.control", value = "true", beans = ParleyConfig.class)
final class PriceTable {
    private static final String SELECT = "SELECT * FROM control.price_t WHERE host_id = ? ";
    private static final String ONE = SELECT + "AND active AND provider = ? AND model = ?";

    private final Database database;
    private final Published published;
    private final Map<String, ModelPrice> others = new TreeMap<>();

    PriceTable(Database database, Published published, ParleyConfig config) {
        this.database = database;
        this.published = published;
        put(PriceJson.ofBuild(), "build");
        put(config.prices(), "configuration");
    }

    private void put(List<Price> prices, String source) {
        prices.forEach(price -> ModelPrice.of(price, source).ifPresent(one -> others.put(one.name(), one)));
    }

    /** All that hold, by name; when asked for, what was cleared after them. */
    List<ModelPrice> list(Caller caller, boolean inactive) {
        List<ModelPrice> own = database.in(
                caller.tenant(),
                transaction -> transaction.query(
                        SELECT + "ORDER BY provider, model", row -> Columns.all(row, ModelPrice::own), caller.host()));
        var all = new TreeMap<>(others);
        own.stream().filter(ModelPrice::active).forEach(price -> all.put(price.name(), price));
        var cleared = own.stream().filter(price -> inactive && !price.active());
        return Stream.concat(all.values().stream(), cleared).toList();
    }

    Optional<ModelPrice> find(Caller caller, String provider, String model) {
        return database.in(caller.tenant(), transaction -> own(transaction, caller, provider, model))
                .or(() -> Optional.ofNullable(others.get(provider + "/" + model)));
    }

    private static Optional<ModelPrice> own(Transaction transaction, Caller caller, String provider, String model) {
        return transaction.query(ONE, row -> Columns.first(row, ModelPrice::own), caller.host(), provider, model);
    }

    private static Optional<ModelPrice> locked(Transaction transaction, Caller caller, ModelPrice price) {
        return transaction.query(
                ONE + " FOR UPDATE",
                row -> Columns.first(row, ModelPrice::own),
                caller.host(),
                price.provider(),
                price.model());
    }

    /** Sets the host's own; where there is one already, for whoever saw that version. */
    ModelPrice set(Caller caller, ModelPrice price, @Nullable String ifMatch) {
        ModelPrice set = database.in(caller.tenant(), transaction -> {
            locked(transaction, caller, price).ifPresent(before -> IfMatch.check(ifMatch, before.version()));
            transaction.update(
                    """
                    INSERT INTO control.price_t AS p
                      (host_id, provider, model, input, output, cache_read, cache_write, update_user)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (host_id, provider, model) DO UPDATE SET input = excluded.input, output = excluded.output,
                      cache_read = excluded.cache_read, cache_write = excluded.cache_write, active = true,
                      aggregate_version = p.aggregate_version + 1, update_ts = now(), update_user = excluded.update_user
                    """,
                    caller.host(),
                    price.provider(),
                    price.model(),
                    price.input(),
                    price.output(),
                    price.cacheRead(),
                    price.cacheWrite(),
                    caller.user());
            Audit.add(transaction, Entry.done(caller.host(), null, "price", "set", price.name(), caller.user()));
            return own(transaction, caller, price.provider(), price.model()).orElseThrow();
        });
        published.await(key(caller, price.provider(), price.model()), set.version());
        return set;
    }

    private static String key(Caller caller, String provider, String model) {
        return Setting.key(caller.host(), PriceJson.name(provider, model));
    }

    /** Goes back to the price of the configuration or the build, or to none. */
    void clear(Caller caller, String provider, String model, @Nullable String ifMatch) {
        database.in(caller.tenant(), transaction -> {
            ModelPrice before = own(transaction, caller, provider, model)
                    .orElseThrow(() -> ApiException.notFound(
                            "unknown_price", "No price of '%s/%s' is set".formatted(provider, model)));
            locked(transaction, caller, before).ifPresent(now -> IfMatch.check(ifMatch, now.version()));
            transaction.update("""
                    UPDATE control.price_t SET active = false, aggregate_version = aggregate_version + 1, update_ts = now(),
                      update_user = ? WHERE host_id = ? AND provider = ? AND model = ?
                    """, caller.user(), caller.host(), provider, model);
            Audit.add(transaction, Entry.done(caller.host(), null, "price", "clear", before.name(), caller.user()));
            return null;
        });
        published.await(key(caller, provider, model), null);
    }
}
