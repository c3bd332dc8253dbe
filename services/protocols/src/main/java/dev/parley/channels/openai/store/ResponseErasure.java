package dev.parley.channels.openai.store;

import dev.parley.channels.contract.ErasureTarget;
import dev.parley.domain.access.AccessRecord.Account;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.erasure.ErasureRecord.SessionGone;

/** Deletes the stored responses, calls and conversations of erased sessions, people and projects. */
final class ResponseErasure implements ErasureTarget {
    private final ResponseStore store;
    private final ConversationStore conversations;

    ResponseErasure(ResponseStore store, ConversationStore conversations) {
        this.store = store;
        this.conversations = conversations;
    }

    /** @return the number of conversations of this person; responses are erased with their sessions */
    @Override
    public long erase(Account person) {
        return conversations.erase(person);
    }

    /** @return the number of rows */
    @Override
    public long erase(Project project) {
        return store.erase(project);
    }

    /** @return the number of rows */
    long erase(SessionGone gone) {
        return store.erase(gone.host(), gone.session());
    }
}
