CREATE TABLE "list_changes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "list_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"count" integer NOT NULL
);

--> statement-breakpoint
CREATE FUNCTION count_list_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "list_changes" SET "count" = "count" + 1
	WHERE "id" = (SELECT "id" FROM "list_changes" LIMIT 1 FOR UPDATE SKIP LOCKED);
	IF NOT FOUND THEN
		INSERT INTO "list_changes" ("count") VALUES (1);
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "list_changes" AFTER INSERT OR DELETE OR UPDATE OF
	"type", "region", "user_id", "pet_id", "vet_id", "clinic_id", "caller", "pet_issue", "outcome", "start", "vet_start", "end", "cancelled_at",
	"free_since", "mail_when_taken", "clinic_shared_at", "clinic_notified_at", "clinic_accepted_at", "demo"
	ON "consultations" FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();--> statement-breakpoint
CREATE TRIGGER "list_changes" AFTER INSERT OR UPDATE OR DELETE ON "summaries" FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();--> statement-breakpoint
CREATE TRIGGER "list_changes" AFTER UPDATE OF "name", "species_id" ON "pets" FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();--> statement-breakpoint
CREATE TRIGGER "list_changes" AFTER UPDATE OF "type", "first_name", "last_name", "email" ON "users" FOR EACH STATEMENT EXECUTE FUNCTION count_list_change();
