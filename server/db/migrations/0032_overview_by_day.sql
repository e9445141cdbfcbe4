CREATE TABLE "day_changes" (
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "day_figures" (
	"region" text NOT NULL,
	"begins" timestamp (3) with time zone NOT NULL,
	"ends" timestamp (3) with time zone NOT NULL,
	"version" integer NOT NULL,
	"figures" jsonb NOT NULL,
	CONSTRAINT "day_figures_region_begins_pk" PRIMARY KEY("region","begins"),
	CONSTRAINT "day_figures_region" CHECK ("day_figures"."region" in ('za', 'au'))
);
--> statement-breakpoint
CREATE INDEX "day_changes_at" ON "day_changes" USING btree ("at");--> statement-breakpoint
CREATE INDEX "consultations_callers_pet" ON "consultations" USING btree (lower("caller"->>'pet')) WHERE pet_id is null;--> statement-breakpoint
CREATE INDEX "pets_name" ON "pets" USING btree (lower("name"));--> statement-breakpoint
CREATE FUNCTION "note_day_of_start"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN INSERT INTO "day_changes" ("at") VALUES (OLD."start"); END IF;
	IF TG_OP <> 'DELETE' THEN INSERT INTO "day_changes" ("at") VALUES (NEW."start"); END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "note_day_of_at"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN INSERT INTO "day_changes" ("at") VALUES (OLD."at"); END IF;
	IF TG_OP <> 'DELETE' THEN INSERT INTO "day_changes" ("at") VALUES (NEW."at"); END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "consultations_note_day" AFTER INSERT OR DELETE OR UPDATE OF
	"type", "region", "start", "vet_start", "first_taken_at", "end", "told_from", "told_to"
	ON "consultations" FOR EACH ROW EXECUTE FUNCTION "note_day_of_start"();--> statement-breakpoint
CREATE TRIGGER "ratings_note_day" AFTER INSERT OR DELETE OR UPDATE ON "ratings" FOR EACH ROW EXECUTE FUNCTION "note_day_of_at"();--> statement-breakpoint
CREATE TRIGGER "ledger_note_day" AFTER INSERT OR DELETE OR UPDATE ON "ledger" FOR EACH ROW EXECUTE FUNCTION "note_day_of_at"();
