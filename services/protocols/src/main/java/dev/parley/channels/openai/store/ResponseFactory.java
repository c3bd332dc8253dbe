package dev.parley.channels.openai.store;

import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.database.Database;
import dev.parley.platform.erasure.ErasureFollower;
import dev.parley.platform.kafka.KafkaClients;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.OptionalLong;

/** Beans of stored responses in the role {@code channels}. */
@Factory
@Requires(property = "parley.role.channels", value = "true", beans = ParleyConfig.class)
final class ResponseFactory {
    @Singleton
    ConversationStore conversations(Database database, ConversationRows rows) {
        return new ConversationStore(database, rows);
    }

    @Singleton
    ResponseStore store(Database database, ResponseRows responses, CallRows calls, ConversationStore conversations) {
        return new ResponseStore(database, responses, calls, conversations);
    }

    @Singleton
    ResponseErasure erasure(ResponseStore store, ConversationStore conversations) {
        return new ResponseErasure(store, conversations);
    }

    @Singleton
    @Order(66)
    ResponsePurge purge(ResponseStore store) {
        return new ResponsePurge(store);
    }

    @Singleton
    @Order(65)
    @Named("erased sessions of responses")
    ErasureFollower erasedSessions(KafkaClients clients, ResponseErasure erasure) {
        return ErasureFollower.ofSessions("channels", clients, gone -> OptionalLong.of(erasure.erase(gone)));
    }
}
