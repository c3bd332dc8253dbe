package dev.parley.channels.bots;

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
        String question) {}
