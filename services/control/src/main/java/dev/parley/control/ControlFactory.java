package dev.parley.control;

import dev.parley.control.audit.Audit;
import dev.parley.control.credentials.Resealing;
import dev.parley.control.credentials.SealedRows;
import dev.parley.control.definitions.AgentRows;
import dev.parley.control.definitions.RuleRows;
import dev.parley.control.identity.IdentityProviders;
import dev.parley.control.keys.UsageCounter;
import dev.parley.control.keys.UsageRows;
import dev.parley.control.outbox.OutboxPublisher;
import dev.parley.control.outbox.OutboxRows;
import dev.parley.control.outbox.PublicationBarrier;
import dev.parley.control.outbox.Republication;
import dev.parley.control.permissions.RuleRequests;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.permission.RuleRequest;
import dev.parley.platform.access.AccessFollower;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.database.Database;
import dev.parley.platform.definitions.KafkaDefinitions;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Subscription;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.sealing.Sealing;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Named;
import jakarta.inject.Singleton;

/** Beans of the role {@code control}. */
@Factory
final class ControlFactory {

    @Singleton
    @Order(7)
    OutboxPublisher outbox(Database database, OutboxRows rows, AgentRows agents, RuleRows rules, KafkaClients clients) {
        return new OutboxPublisher(database, rows, agents, rules, clients);
    }

    @Singleton
    @Order(8)
    Republication republication(
            Database database,
            OutboxRows rows,
            OutboxPublisher publisher,
            AccessFollower access,
            KafkaDefinitions definitions,
            KafkaClients clients) {
        return new Republication(database, rows, publisher, access, definitions, clients);
    }

    @Singleton
    @Order(8)
    UsageCounter usage(Database database, UsageRows rows, KafkaClients clients) {
        return new UsageCounter(database, rows, clients);
    }

    /** Stores the audit entries of other services. */
    @Singleton
    @Order(9)
    @Named("audit")
    Subscription<AuditEntry> audit(Audit audit, KafkaClients clients) {
        return new Subscription<>(clients, Topics.AUDIT, "parley-control-audit", audit::store);
    }

    /** Creates the rules of people who answered an approval with "always". */
    @Singleton
    @Order(9)
    @Named("rule-requests")
    Subscription<RuleRequest> ruleRequests(RuleRequests requests, KafkaClients clients) {
        return new Subscription<>(clients, Topics.RULE_REQUESTS, "parley-control-rules", requests::create);
    }

    @Singleton
    @Order(40)
    Resealing resealing(Database database, SealedRows rows, Sealing sealing) {
        return new Resealing(database, rows, sealing);
    }

    @Singleton
    PublicationBarrier published(OutboxPublisher publisher, AccessFollower directory, KafkaDefinitions definitions) {
        return new PublicationBarrier(publisher, directory, definitions);
    }

    @Singleton
    @Bean(preDestroy = "close")
    IdentityProviders identityProviders(ParleyConfig config) {
        return new IdentityProviders(config.signIn().providers(), Secrets.ofSignIn(config, System.getenv()));
    }
}
