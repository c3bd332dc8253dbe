package dev.parley.control.prices;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.domain.access.AccessRecord.Setting;
import dev.parley.platform.budget.PriceJson;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.Price;
import dev.parley.platform.database.Database;
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

/** Model prices of a host: its own override those of the configuration, which override those of the build. */
@Singleton
@Requires(beans = ParleyConfig.class)
final class PriceTable {
    private final Database database;
    private final Audit audit;
    private final PriceRows rows;
    private final PublicationBarrier published;
    private final Map<String, ModelPrice> others = new TreeMap<>();

    PriceTable(Database database, PriceRows rows, PublicationBarrier published, ParleyConfig config, Audit audit) {
        this.audit = audit;
        this.database = database;
        this.rows = rows;
        this.published = published;
        put(PriceJson.ofBuild(), "build");
        put(config.prices(), "configuration");
    }

    private void put(List<Price> prices, String source) {
        prices.forEach(price ->
                ModelPrice.of(price, source).ifPresent(modelPrice -> others.put(modelPrice.name(), modelPrice)));
    }

    /** The effective prices by name, then on request the cleared ones. */
    List<ModelPrice> list(Caller caller, boolean inactive) {
        List<ModelPrice> hostPrices =
                database
                        .in(caller.tenant(), () -> rows.findByHostIdOrderByProviderAscAndModelAsc(caller.host()))
                        .stream()
                        .map(ModelPrice::ofRow)
                        .toList();
        var effective = new TreeMap<>(others);
        hostPrices.stream().filter(ModelPrice::active).forEach(price -> effective.put(price.name(), price));
        var cleared = hostPrices.stream().filter(price -> inactive && !price.active());
        return Stream.concat(effective.values().stream(), cleared).toList();
    }

    Optional<ModelPrice> find(Caller caller, String provider, String model) {
        return database.in(
                        caller.tenant(),
                        () -> rows.findByHostIdAndProviderAndModelAndActiveTrue(caller.host(), provider, model))
                .map(ModelPrice::ofRow)
                .or(() -> Optional.ofNullable(others.get(provider + "/" + model)));
    }

    private Optional<PriceRow> findForUpdate(Caller caller, String provider, String model) {
        return rows.findByHostIdAndProviderAndModelAndActiveTrueForUpdate(caller.host(), provider, model);
    }

    /** Sets the host's price; If-Match is checked where there is one already. */
    ModelPrice set(Caller caller, ModelPrice price, @Nullable String ifMatch) {
        PriceRow set = database.in(caller.tenant(), () -> {
            findForUpdate(caller, price.provider(), price.model())
                    .ifPresent(before -> IfMatch.check(ifMatch, before.version()));
            audit.add(Entry.done(caller.host(), null, "price", "set", price.name(), caller.user()));
            return rows.set(
                    caller.host(),
                    price.provider(),
                    price.model(),
                    price.input(),
                    price.output(),
                    price.cacheRead(),
                    price.cacheWrite(),
                    caller.user());
        });
        published.await(key(caller, price.provider(), price.model()), set.version());
        return ModelPrice.ofRow(set);
    }

    private static String key(Caller caller, String provider, String model) {
        return Setting.key(caller.host(), PriceJson.name(provider, model));
    }

    /** Clears the host's price, so that the one of the configuration or the build applies, if any. */
    void clear(Caller caller, String provider, String model, @Nullable String ifMatch) {
        database.in(caller.tenant(), () -> {
            PriceRow before = findForUpdate(caller, provider, model)
                    .orElseThrow(() -> ApiException.notFound(
                            "unknown_price", "No price is set for '%s/%s'".formatted(provider, model)));
            IfMatch.check(ifMatch, before.version());
            rows.clear(caller.host(), provider, model, caller.user());
            audit.add(Entry.done(caller.host(), null, "price", "clear", provider + "/" + model, caller.user()));
        });
        published.await(key(caller, provider, model), null);
    }
}
