package dev.parley.channels.bots;

import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.erasure.ErasureFollower;
import java.util.List;
import java.util.OptionalLong;

/** Deletes the channel data of erased accounts with plain statements. */
final class ErasedPeople implements ErasureFollower.Removal<Account> {
    /** In this order: the first statement needs the rows of the last. */
    private static final List<String> FORGET = List.of(
            """
            DELETE FROM channels.person_t p USING channels.channel_link_t l
            WHERE l.host_id = ? AND l.user_id = ? AND p.host_id = l.host_id AND p.bot = l.bot AND p.user_id = l.channel_user""",
            "DELETE FROM channels.task_message_t WHERE host_id = ? AND user_id = ?",
            "DELETE FROM channels.link_code_t WHERE host_id = ? AND user_id = ?",
            "DELETE FROM channels.channel_link_t WHERE host_id = ? AND user_id = ?");

    private final Database database;

    ErasedPeople(Database database) {
        this.database = database;
    }

    @Override
    public OptionalLong of(Account account) {
        return OptionalLong.of(database.in(
                Tenant.of(account.host()),
                transaction -> FORGET.stream()
                        .mapToInt(sql -> transaction.update(sql, account.host(), account.user()))
                        .sum()));
    }
}
