package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.proof.Facts;
import dev.parley.domain.proof.Place;
import dev.parley.domain.proof.RecordFact;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The records of the topics after a simulation, as facts in order of arrival. */
final class TopicLog {
    private final List<RecordFact> facts = new ArrayList<>();

    List<RecordFact> facts() {
        return facts;
    }

    private Place place(String topic, Instant time) {
        return new Place(topic, 0, facts.size(), time);
    }

    void given(Instant time, RecordKey to, TurnInput input) {
        if (input instanceof TurnCommand command) {
            facts.addAll(Facts.of(command, to.toString(), place("turn-commands", time)));
        }
    }

    void decided(Instant now, RecordKey key, TurnDecision decisions) {
        decisions.events().stream()
                .filter(TurnEvent::isPublished)
                .forEach(event -> facts.add(Facts.of(event, key.toString(), place("turn-events", now))));
        for (TurnEffect effect : decisions.effects()) {
            if (effect instanceof TurnEffect.StoreOutcome remember) {
                facts.add(Facts.of(remember.commandId(), remember.outcome(), key.toString(), place("turn-store", now)));
            } else if (effect instanceof TurnEffect.DeliverReply deliver) {
                facts.add(Facts.of(deliver.reply(), place("replies", now)));
            }
        }
    }
}
