CREATE TABLE "level_changes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "level_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"consultation_id" integer NOT NULL,
	"from" text NOT NULL,
	"to" text NOT NULL,
	"reason" text NOT NULL,
	"vet_id" integer NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "level_changes_from" CHECK ("from" in ('emergency', 'urgent', 'soon', 'routine')),
	CONSTRAINT "level_changes_to" CHECK ("to" in ('emergency', 'urgent', 'soon', 'routine')),
	CONSTRAINT "level_changes_differs" CHECK ("level_changes"."from" <> "level_changes"."to")
);
--> statement-breakpoint
CREATE TABLE "version_steps" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "version_steps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" text NOT NULL,
	"step" text NOT NULL,
	"user_id" integer NOT NULL,
	"vet_id" integer,
	"reason" text DEFAULT '' NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "version_steps_step" CHECK ("version_steps"."step" in ('reviewed', 'asked', 'withdrawn', 'live')),
	CONSTRAINT "version_steps_vet" CHECK (("version_steps"."step" = 'reviewed') = ("version_steps"."vet_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "level_changes" ADD CONSTRAINT "level_changes_consultation_id_consultations_id_fk" FOREIGN KEY ("consultation_id") REFERENCES "public"."consultations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "level_changes" ADD CONSTRAINT "level_changes_vet_id_users_id_fk" FOREIGN KEY ("vet_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_steps" ADD CONSTRAINT "version_steps_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_steps" ADD CONSTRAINT "version_steps_vet_id_users_id_fk" FOREIGN KEY ("vet_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "level_changes_consultation" ON "level_changes" USING btree ("consultation_id");