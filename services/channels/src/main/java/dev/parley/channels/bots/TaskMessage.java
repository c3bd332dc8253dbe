package dev.parley.channels.bots;

import dev.parley.channels.contract.Tasks.Asked;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;

/** A message that asks somebody about a task of a workflow. @param userId the account of whom it is shown to */
@MappedEntity(value = "task_message_t", schema = "channels")
record TaskMessage(
        @Id UUID replyId,
        UUID taskId,
        String bot,
        String chat,
        UUID userId,
        String projectKey,
        UUID processId,
        long taskOrder,
        String question) {
    /** The same question in another message, which shows this reply. */
    TaskMessage as(UUID reply) {
        return new TaskMessage(reply, taskId, bot, chat, userId, projectKey, processId, taskOrder, question);
    }

    /** What it asks, as channels are told. */
    Asked asked() {
        return new Asked(replyId, taskId, projectKey, processId, taskOrder, question);
    }
}
