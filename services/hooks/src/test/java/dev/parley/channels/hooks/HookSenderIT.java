package dev.parley.channels.hooks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.channels.ChannelsSchema;
import dev.parley.domain.RecordKey;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.config.ToolsConfig;
import dev.parley.platform.config.secret.Secrets;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Databases;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.outbound.Outbound;
import dev.parley.platform.power.Grant;
import dev.parley.platform.power.Power;
import dev.parley.platform.power.PowerGrants;
import dev.parley.platform.sealing.MasterKeys;
import dev.parley.platform.sealing.Sealing;
import dev.parley.platform.sealing.Sealing.Sealed;
import dev.parley.platform.testkit.HttpDouble;
import dev.parley.platform.testkit.Repositories;
import dev.parley.platform.testkit.TestInfra;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The sender of event webhooks against Postgres. */
final class HookSenderIT {
    private static final UUID HOST = AccessDirectory.DEFAULT_HOST;
    private static final UUID PROJECT = RecordKey.projectId(RecordKey.DEFAULT_PROJECT);
    private static final String OLD_KEY = Base64.getEncoder().encodeToString(new byte[32]);
    private static final String NEW_KEY =
            Base64.getEncoder().encodeToString("n".repeat(32).getBytes(StandardCharsets.UTF_8));
    private static final Sealing OLD = new Sealing(MasterKeys.parse(OLD_KEY));
    private static final Sealing GONE = new Sealing(
            MasterKeys.parse(Base64.getEncoder().encodeToString("g".repeat(32).getBytes(StandardCharsets.UTF_8))));
    private static final Sealing BOTH = new Sealing(MasterKeys.parse(NEW_KEY + "," + OLD_KEY));

    private static final PowerGrants POWERS = new PowerGrants(
            Map.of(Power.privateHost("localhost"), Grant.UNNAMED, Power.privateHost("127.0.0.1"), Grant.UNNAMED), true);

    private static Repositories repositories;
    private static Database database;
    private static HookRows hooks;
    private static HookDeliveryRows deliveries;

    private final HookSender sender = new HookSender(
            database,
            hooks,
            deliveries,
            new HookSecrets(database, hooks, Optional.of(BOTH)),
            new Outbound(ToolsConfig.NONE, POWERS, new Secrets(Map.of(), Set.of())),
            _ -> {});

    @BeforeAll
    static void migrate() {
        var created = TestInfra.newDatabase();
        ChannelsSchema.migrate(Databases.single(created.owner()), created.app().user());
        repositories = Repositories.of(created.app());
        database = repositories.database();
        hooks = repositories.bean(HookRows.class);
        deliveries = repositories.bean(HookDeliveryRows.class);
    }

    @AfterAll
    static void stop() {
        repositories.close();
    }

    @AfterEach
    void remove() {
        sender.close();
        in(() -> hooks.deleteOfProject(HOST, PROJECT));
    }

    private static <T> T in(Supplier<T> work) {
        return database.in(Tenant.of(HOST).project(PROJECT), work);
    }

    private static UUID webhook(String url, boolean enabled) {
        UUID id = UUID.randomUUID();
        return webhook(id, url, OLD.seal(HookSignature.newSecret(), HOST, id), enabled);
    }

    private static UUID webhook(UUID id, String url, Sealed sealed, boolean enabled) {
        in(() -> hooks.insert(HOST, id, PROJECT, url, "", "*", sealed.bytes(), sealed.key(), enabled, "ada"));
        return id;
    }

    private static UUID delivery(UUID webhook) {
        UUID id = UUID.randomUUID();
        in(() -> {
            deliveries.insert(HOST, id, webhook, PROJECT, "webhook.test", "{}");
            return id;
        });
        return id;
    }

    private static List<HookDelivery> deliveries(UUID webhook) {
        return in(() -> deliveries.newest(HOST, webhook, null, 10));
    }

    @Test
    void resealsDisabledWebhooksAndFailsAndPurgesTheirDeliveries() throws InterruptedException {
        // Given
        UUID webhook = webhook("https://example.org", false);
        UUID waiting = delivery(webhook);
        new Sql(database)
                .as(Tenant.of(HOST))
                .update(
                        "UPDATE channels.hook_delivery_t SET state = 'failed', update_ts = now() - interval '8 days'"
                                + " WHERE delivery_id = ?",
                        delivery(webhook));

        // When
        sender.pass();

        // Then
        assertEquals(
                BOTH.first(), in(() -> hooks.find(HOST, webhook)).orElseThrow().masterKeyId());
        HookDelivery remaining = deliveries(webhook).getFirst();
        assertEquals(1, deliveries(webhook).size(), "the one that is eight days old is gone");
        assertEquals(waiting, remaining.deliveryId());
        assertEquals("failed", remaining.state());
        assertEquals("it is disabled", remaining.detail());
    }

    @Test
    void resealsOtherSecretsIfSomeCannotBeDecrypted() throws InterruptedException {
        // Given
        for (int i = 1; i <= 50; i++) {
            UUID id = new UUID(0, i);
            webhook(id, "https://example.org", GONE.seal(HookSignature.newSecret(), HOST, id), false);
        }
        for (int i = 51; i <= 100; i++) {
            Sealed ofAnotherRow = OLD.seal(HookSignature.newSecret(), HOST, UUID.randomUUID());
            webhook(new UUID(0, i), "https://example.org", ofAnotherRow, false);
        }
        UUID webhook = webhook("https://example.org", false);

        // When
        sender.pass();

        // Then
        assertEquals(
                BOTH.first(), in(() -> hooks.find(HOST, webhook)).orElseThrow().masterKeyId());
    }

    @Test
    void honoursARetryAfterDate() throws IOException, InterruptedException {
        // Given
        Instant retryAt = Instant.now().plus(Duration.ofHours(2));
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(retryAt.atOffset(ZoneOffset.UTC));
        try (var receiver = new HttpDouble()) {
            receiver.answers(HttpDouble.body(503, "text/plain", "", "Retry-After", date));
            UUID webhook = webhook(receiver.url().toString(), true);
            delivery(webhook);

            // When
            sender.pass();

            // Then
            HookDelivery waits = deliveries(webhook).getFirst();
            assertEquals("waiting", waits.state());
            assertEquals(503, waits.status());
            assertTrue(waits.dueAt().isAfter(retryAt.minusSeconds(60)), waits.toString());
        }
    }
}
