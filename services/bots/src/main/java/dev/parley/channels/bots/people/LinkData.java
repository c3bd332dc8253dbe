package dev.parley.channels.bots.people;

import dev.parley.channels.bots.people.LinkController.LinkJson;
import dev.parley.channels.bots.people.LinkController.LinksJson;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.http.Caller;
import dev.parley.platform.personal.PersonalArchive;
import dev.parley.platform.personal.PersonalData;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;

/** The links of an account, for the export of personal data. */
@Singleton
@Requires(beans = ParleyConfig.class)
final class LinkData implements PersonalData {
    private final ChannelLinks links;

    LinkData(ChannelLinks links) {
        this.links = links;
    }

    @Override
    public String part() {
        return "links";
    }

    @Override
    public void write(Caller caller, PersonalArchive archive) throws IOException {
        List<LinkJson> entries =
                links.of(caller.person().user()).stream().map(LinkJson::of).toList();
        archive.json("links.json", new LinksJson(entries));
        archive.count("links", entries.size());
    }
}
