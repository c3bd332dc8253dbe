package dev.parley.channels.hooks;

import dev.parley.platform.audit.AuditTrail;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.database.Database;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.sealing.Sealing;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Beans of event webhooks in the role {@code channels}. */
@Factory
@Requires(beans = ParleyConfig.class)
final class HookFactory {
    @Singleton
    HookSecrets secrets(Database database, HookRows rows, Optional<Sealing> sealing) {
        return new HookSecrets(database, rows, sealing);
    }

    @Singleton
    HookErasure erasure(Database database, HookRows rows) {
        return new HookErasure(database, rows);
    }

    @Singleton
    @Order(67)
    HookIntake intake(Database database, HookRows hooks, HookDeliveryRows deliveries, KafkaClients clients) {
        return new HookIntake(database, hooks, deliveries, clients);
    }

    /** The sender shares the allowed hosts of tools, and none of their secrets. */
    @Singleton
    @Order(68)
    HookSender sender(
            ParleyConfig config,
            Database database,
            HookRows hooks,
            HookDeliveryRows deliveries,
            HookSecrets secrets,
            AuditTrail audit) {
        var outbound = new Outbound(config.tools(), config.powers(), new Secrets(Map.of(), Set.of()));
        return new HookSender(database, hooks, deliveries, secrets, outbound, audit::record);
    }
}
