/** SQL that takes the columns of dispatching out of a database again, for tests that need an older one. */
export const UNDO_DISPATCH = `
    drop index runs_in_line;
    drop index runs_in_line_of_agent;
    drop index runs_in_line_of_share;
    drop index runs_requiring;
    drop index runs_admitted;
    alter table runs drop column rank;
    alter table runs drop column share;
    alter table runs drop column requires;
    alter table runs drop column admitted;
    alter table workers drop column document;
    alter table workers drop column busy;
    alter table workers drop column draining;
`;
